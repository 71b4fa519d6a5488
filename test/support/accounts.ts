import { createAccount } from '../../shared/db/accounts/accounts.ts'
import { createKey, type IssuedKey } from '../../shared/db/accounts/api-keys.ts'
import { env } from './env.ts'
import { art } from './instant.ts'
import { random } from './random.ts'

/** An account with one key, made on 2026-03-01. */
export async function seedAccount(
  email = 'ana@ejemplo.com.ar',
): Promise<IssuedKey & { accountId: string; email: string }> {
  const db = env.DB
  const now = art('2026-03-01 10:00')

  const account = await createAccount(db, { email, now, random })
  if (!account.ok) throw new Error(account.refusal)
  const accountId = account.value.id

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
