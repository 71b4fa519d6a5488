import { Command } from '@commander-js/extra-typings'
import { argentineDay } from '../../../shared/argentine-time.ts'
import { normalizeKeyName } from '../../../shared/access/api-key.ts'
import {
  createKey,
  KEY_LIMIT,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../../shared/db/accounts.ts'
import { CommandError } from '../../support/arguments.ts'
import { randomBytes as random } from '../../support/random.ts'
import { accountOf } from './account.ts'
import { run } from './command.ts'

export const keyCommand = new Command('key').description(
  'Makes, lists, rotates and revokes the keys of an account.',
)

keyCommand
  .command('create <EMAIL> <NAME>')
  .description('Makes a key of an account and prints the key, which is never shown again.')
  .action(
    run(async ({ db, now, print }, address, text) => {
      const name = normalizeKeyName(text)
      if (name === null) throw new CommandError('NAME must have 1 to 60 characters on one line')

      const { id, email } = await accountOf(db, address)
      const issued = await createKey(db, { accountId: id, name, now: now(), random })
      if (!issued.ok)
        throw new CommandError(`${email} has ${KEY_LIMIT} keys or more: revoke until fewer remain`)

      print(issued.value.key)
    }),
  )

keyCommand
  .command('list <EMAIL>')
  .description('Shows the keys of an account: prefix, name, day of creation, day of the last use.')
  .action(
    run(async ({ db, print }, address) => {
      const { id } = await accountOf(db, address)
      for (const { prefix, name, createdAt, lastUsedDay, inherited } of await listKeys(db, id)) {
        const used = lastUsedDay === null ? 'never used' : `last used ${lastUsedDay}`
        const words = [prefix, name, `made ${argentineDay(createdAt)}`, used]
        print([...words, ...(inherited ? ['inherited'] : [])].join('  '))
      }
    }),
  )

keyCommand
  .command('rotate <EMAIL> <PREFIX>')
  .description('Gives a key a new secret and prints the key. The old secret stops working at once.')
  .action(
    run(async ({ db, print }, address, typed) => {
      const { accountId, keyId, prefix } = await keyOf(db, address, typed)
      const issued = await rotateKey(db, { accountId, keyId, seenPrefix: prefix, random })
      if (!issued.ok) throw new CommandError(`${prefix} was rotated or revoked just now`)

      print(issued.value.key)
    }),
  )

keyCommand
  .command('revoke <EMAIL> <PREFIX>')
  .description('Revokes a key for ever. The webhooks of the account stay.')
  .action(
    run(async ({ db, print }, address, typed) => {
      const { prefix, ...key } = await keyOf(db, address, typed)
      if (!(await revokeKey(db, key)).ok) throw new CommandError(`${prefix} was revoked just now`)

      print(`revoked ${prefix}`)
    }),
  )

/** The account's only key with a prefix, which may be typed without `cot_`. */
async function keyOf(db: D1Database, address: string, typed: string) {
  const { id: accountId, email } = await accountOf(db, address)
  const keys = await listKeys(db, accountId)
  const [key, another] = keys.filter(({ prefix }) => [typed, `cot_${typed}`].includes(prefix))
  if (!key) throw new CommandError(`${email} has no key with that prefix: see 'key list'`)
  if (another) throw new CommandError(`${email} has several keys with that prefix`)
  return { accountId, keyId: key.id, prefix: key.prefix }
}
