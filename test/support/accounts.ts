import { createAccount } from '../../tools/operate/admin/account.ts'
import { createKey, type IssuedKey } from '../../shared/db/accounts.ts'
import { env } from './env.ts'
import { art } from './instant.ts'
import { randomBytes as random } from '../../tools/support/random.ts'
import { insertRow, readRows } from './rows.ts'

/** An account with one key, made on 2026-03-01. */
export async function seedAccount(
  email = 'ana@ejemplo.com.ar',
): Promise<IssuedKey & { accountId: string; email: string }> {
  const db = env.DB
  const now = art('2026-03-01 10:00')

  const { id: accountId } = (await createAccount(db, { email, now, random }))!

  const issued = await createKey(db, { accountId, name: 'primera', now, random })
  if (!issued.ok) throw new Error(issued.refusal)

  return { ...issued.value, accountId, email }
}

/** Another key of an account. */
export async function seedKey(accountId: string): Promise<IssuedKey & { accountId: string }> {
  const order = { accountId, name: 'otra', now: art('2026-03-01 11:00'), random }
  const issued = await createKey(env.DB, order)
  if (!issued.ok) throw new Error(issued.refusal)

  return { ...issued.value, accountId }
}

/** A key of v1, with the given name and hash. */
export async function seedInheritedKey(
  accountId: string,
  { hash, name = 'v1' }: { hash: string; name?: string },
): Promise<void> {
  const key = { id: hash, accountId, name, prefix: 'v1', hash, inherited: true, createdAt: 0 }
  await insertRow('apiKeys', key)
}

/** An account as an import or another sign-in would store it. */
export function insertAccount(
  id: string,
  email: string,
  { emailVerified = true } = {},
): Promise<void> {
  const at = new Date(0)
  return insertRow('accounts', { id, name: '', email, emailVerified, createdAt: at, updatedAt: at })
}

/** The id of the only account. */
export async function onlyAccount(): Promise<string> {
  const [account, ...more] = await readRows('accounts')
  if (!account || more.length > 0) throw new Error(`${more.length} accounts too many`)
  return account.id
}
