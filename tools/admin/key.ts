import { argentineDay } from '../../shared/argentine-time.ts'
import { normalizeKeyName } from '../../shared/access/api-key.ts'
import {
  createKey,
  findKeys,
  KEY_LIMIT,
  type KeyRecord,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../shared/db/accounts/api-keys.ts'
import { type AdminCommand, AdminError } from './command.ts'
import { randomBytes as random } from '../harness/random.ts'
import { accountOf, takeWords } from './words.ts'

export const keyCommands: readonly AdminCommand[] = [
  {
    name: 'key create',
    usage: 'EMAIL NAME',
    summary: 'Makes a key of an account and prints it, alone on a line: it is shown only once.',
    async run(args, { db, now, print }) {
      const { EMAIL, NAME } = takeWords(args, 'EMAIL', 'NAME')
      const name = normalizeKeyName(NAME)
      if (name === null) throw new AdminError('NAME must have 1 to 60 characters on one line')

      const { id, email } = await accountOf(db, EMAIL)
      const issued = await createKey(db, { accountId: id, name, now: now(), random })
      if (!issued.ok)
        throw new AdminError(`${email} has ${KEY_LIMIT} keys or more: revoke until fewer remain`)

      print(issued.value.key)
    },
  },
  {
    name: 'key list',
    usage: 'EMAIL',
    summary: 'Shows the keys of an account: prefix, name, day made, day last used.',
    async run(args, { db, print }) {
      const { id } = await accountOf(db, takeWords(args, 'EMAIL').EMAIL)
      for (const key of await listKeys(db, id)) print(lineOf(key))
    },
  },
  {
    name: 'key rotate',
    usage: 'EMAIL PREFIX',
    summary: 'Gives a key a new secret and prints it; the old secret is dead at once.',
    async run(args, { db, print }) {
      const { accountId, key } = await keyOf(db, args)
      const { id: keyId, prefix: seenPrefix } = key
      const issued = await rotateKey(db, { accountId, keyId, seenPrefix, random })
      if (!issued.ok) throw new AdminError(`${key.prefix} was rotated or revoked just now`)

      print(issued.value.key)
    },
  },
  {
    name: 'key revoke',
    usage: 'EMAIL PREFIX',
    summary: 'Removes a key for ever; the webhooks of the account stay.',
    async run(args, { db, print }) {
      const { accountId, key } = await keyOf(db, args)
      const revoked = await revokeKey(db, { accountId, keyId: key.id })
      if (!revoked.ok) throw new AdminError(`${key.prefix} was revoked just now`)

      print(`revoked ${key.prefix}`)
    },
  },
]

/** The one key of an account with a prefix, which may be written without `cot_`. */
async function keyOf(
  db: D1Database,
  args: readonly string[],
): Promise<{ accountId: string; key: KeyRecord }> {
  const { EMAIL, PREFIX } = takeWords(args, 'EMAIL', 'PREFIX')
  const { id: accountId, email } = await accountOf(db, EMAIL)
  const [key, another] = await findKeys(db, accountId, PREFIX)

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
