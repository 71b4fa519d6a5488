import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Instant } from '../../../shared/argentine-time.ts'
import { accountOf, createAccount } from '../admin/account.ts'
import { createKey, listKeys, rotateKey } from '../../../shared/db/accounts.ts'
import { randomBytes as random } from '../../support/random.ts'

/** The account that every local state has; the domain cannot receive mail (RFC 2606). */
const LOCAL_EMAIL = 'local@example.invalid'

const KEY_NAME = 'local'

/**
 * Writes the missing file `local-key` and returns its API key: a new key, or the old key with a new
 * secret if the database still has it. Returns null when the file exists.
 */
export async function makeLocalKey(
  db: D1Database,
  stateDir: string,
  now: Instant,
): Promise<string | null> {
  const file = join(stateDir, 'local-key')
  if (existsSync(file)) return null

  await createAccount(db, { email: LOCAL_EMAIL, now, random })
  const { id: accountId } = await accountOf(db, LOCAL_EMAIL)
  const old = (await listKeys(db, accountId)).find(({ name }) => name === KEY_NAME)
  const issued = old
    ? await rotateKey(db, { accountId, keyId: old.id, seenPrefix: old.prefix, random })
    : await createKey(db, { accountId, name: KEY_NAME, now, random })
  if (!issued.ok) throw new Error(`the local key could not be made: ${issued.refusal}`)

  const { key } = issued.value
  writeFileSync(file, `${key}\n`, { mode: 0o600 })
  return key
}
