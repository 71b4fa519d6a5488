import { asc, eq } from 'drizzle-orm'
import type { Instant } from '../../argentine-time.ts'
import { type RandomBytes, randomUuid } from '../../crypto/random.ts'
import { ok, refuse, type Result } from '../../result.ts'
import type { Database } from '../database.ts'
import { accounts } from '../schema.ts'

export type Account = typeof accounts.$inferSelect

/** An address as accounts keep it, or null when it is none. Sending to it is the real check. */
export function normalizeEmail(text: string): string | null {
  const email = text.trim().toLowerCase()
  return email.length <= 254 && /^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@\p{C}]+$/u.test(email)
    ? email
    : null
}

/** Makes an account for an address that passed `normalizeEmail`; one address is one account. */
export async function createAccount(
  db: Database,
  { email, now, random }: { email: string; now: Instant; random: RandomBytes },
): Promise<Result<Account, 'email_taken'>> {
  const at = new Date(now)
  const [account] = await db
    .insert(accounts)
    .values({
      id: randomUuid(random),
      name: '',
      email,
      emailVerified: false,
      createdAt: at,
      updatedAt: at,
    })
    .onConflictDoNothing({ target: accounts.email })
    .returning()

  return account ? ok(account) : refuse('email_taken')
}

export async function findAccount(db: Database, email: string): Promise<Account | undefined> {
  return db.select().from(accounts).where(eq(accounts.email, email)).get()
}

export async function listAccounts(db: Database): Promise<Account[]> {
  return db.select().from(accounts).orderBy(asc(accounts.email))
}

/**
 * Deletes an account and all that is its own, in one transaction (decision 19). Webhooks and
 * deliveries name the account without a foreign key and go first; what its waiting deliveries held
 * of the capacity is given back; keys, import marks and sessions fall with the row.
 */
export async function deleteAccount(
  db: Database,
  accountId: string,
): Promise<Result<null, 'account_not_found'>> {
  const results = await db.$client.batch(
    [
      `update capacity set outstanding = max(0, outstanding - (
         select count(*) from deliveries
         where account_id = ?1 and status in ('pending', 'sending', 'failed')))`,
      'DELETE FROM deliveries WHERE account_id = ?1',
      'DELETE FROM notices WHERE webhook_id IN (SELECT id FROM webhooks WHERE account_id = ?1)',
      'DELETE FROM webhooks WHERE account_id = ?1',
      'DELETE FROM accounts WHERE id = ?1 RETURNING id',
    ].map((statement) => db.$client.prepare(statement).bind(accountId)),
  )

  return results.at(-1)!.results.length > 0 ? ok(null) : refuse('account_not_found')
}
