import { Command } from '@commander-js/extra-typings'
import { argentineDay } from '../../../shared/argentine-time.ts'
import { normalizeKeyName } from '../../../shared/access/api-key.ts'
import {
  createKey,
  KEY_LIMIT,
  type KeyRecord,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../../shared/db/accounts.ts'
import { adminCommand, AdminError } from './command.ts'
import { randomBytes as random } from '../../support/random.ts'
import { accountOf } from './read-values.ts'

export const keyCommand = new Command('key')
  .description('Makes, lists, rotates and revokes the keys of an account.')
  .addCommand(
    adminCommand(
      new Command('create')
        .description(
          'Makes a key of an account and prints it, alone on a line. It is never shown again.',
        )
        .argument('<EMAIL>')
        .argument('<NAME>'),
      async ([address, text], { db, now, print }) => {
        const name = normalizeKeyName(text)
        if (name === null) throw new AdminError('NAME must have 1 to 60 characters on one line')

        const { id, email } = await accountOf(db, address)
        const issued = await createKey(db, { accountId: id, name, now: now(), random })
        if (!issued.ok)
          throw new AdminError(`${email} has ${KEY_LIMIT} keys or more: revoke until fewer remain`)

        print(issued.value.key)
      },
    ),
  )
  .addCommand(
    adminCommand(
      new Command('list')
        .description('Shows the keys of an account: prefix, name, day made, day last used.')
        .argument('<EMAIL>'),
      async ([address], { db, print }) => {
        const { id } = await accountOf(db, address)
        for (const key of await listKeys(db, id)) print(lineOf(key))
      },
    ),
  )
  .addCommand(
    adminCommand(
      new Command('rotate')
        .description(
          'Gives a key a new secret and prints the key. The old secret stops working at once.',
        )
        .argument('<EMAIL>')
        .argument('<PREFIX>'),
      async (words, { db, print }) => {
        const { accountId, key } = await keyOf(db, words)
        const { id: keyId, prefix: seenPrefix } = key
        const issued = await rotateKey(db, { accountId, keyId, seenPrefix, random })
        if (!issued.ok) throw new AdminError(`${key.prefix} was rotated or revoked just now`)

        print(issued.value.key)
      },
    ),
  )
  .addCommand(
    adminCommand(
      new Command('revoke')
        .description('Revokes a key for ever. The webhooks of the account stay.')
        .argument('<EMAIL>')
        .argument('<PREFIX>'),
      async (words, { db, print }) => {
        const { accountId, key } = await keyOf(db, words)
        const revoked = await revokeKey(db, { accountId, keyId: key.id })
        if (!revoked.ok) throw new AdminError(`${key.prefix} was revoked just now`)

        print(`revoked ${key.prefix}`)
      },
    ),
  )

/** The account's only key with a prefix; the prefix may be written without `cot_`. */
async function keyOf(
  db: D1Database,
  [address, prefix]: readonly [string, string],
): Promise<{ accountId: string; key: KeyRecord }> {
  const { id: accountId, email } = await accountOf(db, address)
  const keys = await listKeys(db, accountId)
  const [key, another] = keys.filter((key) => [prefix, `cot_${prefix}`].includes(key.prefix))
  if (!key) throw new AdminError(`${email} has no key with that prefix: see 'key list'`)
  if (another) throw new AdminError(`${email} has several keys with that prefix`)
  return { accountId, key }
}

function lineOf({ prefix, name, createdAt, lastUsedDay, inherited }: KeyRecord): string {
  return [
    prefix,
    name,
    `made ${argentineDay(createdAt)}`,
    lastUsedDay === null ? 'never used' : `last used ${lastUsedDay}`,
    ...(inherited ? ['inherited'] : []),
  ].join('  ')
}
