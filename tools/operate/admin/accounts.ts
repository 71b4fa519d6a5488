import type { Instant } from '../../../shared/argentine-time.ts'
import { type RandomBytes, randomUuid } from '../../../shared/crypto/random.ts'
import { ok, refuse, type Result } from '../../../shared/result.ts'

export interface Account {
  id: string
  /** As `normalizeEmail` returns it. */
  email: string
  createdAt: Instant
}

const COLUMNS = `id, email, created_at as createdAt`

/** Creates an account for an address that passed `normalizeEmail`. One address is one account. */
export async function createAccount(
  db: D1Database,
  { email, now, random }: { email: string; now: Instant; random: RandomBytes },
): Promise<Result<Account, 'email_taken'>> {
  const account = await db
    .prepare(
      `insert into accounts (id, name, email, email_verified, created_at, updated_at)
       values (?1, '', ?2, 0, ?3, ?3)
       on conflict (email) do nothing returning ${COLUMNS}`,
    )
    .bind(randomUuid(random), email, now)
    .first<Account>()

  return account ? ok(account) : refuse('email_taken')
}

export async function findAccount(db: D1Database, email: string): Promise<Account | null> {
  return db.prepare(`select ${COLUMNS} from accounts where email = ?1`).bind(email).first<Account>()
}

export async function listAccounts(db: D1Database): Promise<Account[]> {
  const { results } = await db
    .prepare(`select ${COLUMNS} from accounts order by email`)
    .all<Account>()
  return results
}
