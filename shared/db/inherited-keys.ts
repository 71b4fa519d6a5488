import type { Instant } from '../argentine-time.ts'
import { type RandomBytes, randomUuid } from '../random.ts'

/** An account of v1 with its keys; the secrets are hashes already. */
export interface InheritedAccount {
  /** As `normalizeEmail` keeps it. */
  email: string
  keys: { name: string; prefix: string; hash: string; createdAt: Instant }[]
}

export interface ImportCounts {
  accountsMade: number
  accountsKnown: number
  keysImported: number
  /** Imported earlier, be they rotated or revoked since. */
  keysKnown: number
  /** Keys that another account has. */
  keysTaken: number
}

/** Statements per round trip: a remote database takes them as one command line. */
const CHUNK = 90

/**
 * Imports accounts and keys of v1, any number of keys an account. A mark remembers every key, so
 * that importing again does nothing, not even to keys rotated or revoked since. Each key is
 * complete in itself: an import that was cut short is finished by running it again.
 */
export async function importInheritedKeys(
  db: D1Database,
  accounts: readonly InheritedAccount[],
  {
    now,
    random,
    onProgress,
  }: { now: Instant; random: RandomBytes; onProgress?: (share: number) => void },
): Promise<ImportCounts> {
  const steps = accounts.flatMap((account) => [
    ...accountStatements(db, account, now, random),
    ...account.keys.flatMap((key) => keyStatements(db, account.email, key, now, random)),
  ])
  const counts = { accountsMade: 0, accountsKnown: 0, keysImported: 0, keysKnown: 0, keysTaken: 0 }

  for (let done = 0; done < steps.length; done += CHUNK) {
    const chunk = steps.slice(done, done + CHUNK)
    const results = await db.batch(chunk.map(({ statement }) => statement))
    for (const [index, { results: rows }] of results.entries()) {
      const { ifRow, ifNone } = chunk[index]!
      const what = rows.length > 0 ? ifRow : ifNone
      if (what) counts[what] += 1
    }
    onProgress?.(Math.min(1, (done + CHUNK) / steps.length))
  }
  // The marks count imported keys as well as known ones.
  return { ...counts, keysKnown: counts.keysKnown - counts.keysImported }
}

interface Step {
  statement: D1PreparedStatement
  /** What an answer with a row, or with none, counts as. */
  ifRow?: keyof ImportCounts
  ifNone?: keyof ImportCounts
}

function accountStatements(
  db: D1Database,
  { email }: InheritedAccount,
  now: Instant,
  random: RandomBytes,
): Step[] {
  const statement = db
    .prepare(
      `INSERT INTO accounts (id, name, email, email_verified, created_at, updated_at)
       VALUES (?1, '', ?2, 0, ?3, ?3) ON CONFLICT (email) DO NOTHING RETURNING id`,
    )
    .bind(randomUuid(random), email, now)
  return [{ statement, ifRow: 'accountsMade', ifNone: 'accountsKnown' }]
}

function keyStatements(
  db: D1Database,
  email: string,
  { name, prefix, hash, createdAt }: InheritedAccount['keys'][number],
  now: Instant,
  random: RandomBytes,
): Step[] {
  const insert = db
    .prepare(
      `INSERT INTO api_keys (id, account_id, name, prefix, hash, inherited, created_at)
       SELECT ?1, accounts.id, ?3, ?4, ?5, 1, ?6 FROM accounts
       WHERE email = ?2 AND NOT EXISTS (SELECT 1 FROM import_marks
         WHERE account_id = accounts.id AND kind = 'key' AND reference = ?5)
       ON CONFLICT (hash) DO NOTHING RETURNING id`,
    )
    .bind(randomUuid(random), email, name, prefix, hash, createdAt)
  // Gives a row for a mark that is made or was there; none when the key is another account's.
  const mark = db
    .prepare(
      `INSERT INTO import_marks (account_id, kind, reference, created_at)
       SELECT accounts.id, 'key', ?2, ?3 FROM accounts
       WHERE email = ?1 AND (
         EXISTS (SELECT 1 FROM api_keys WHERE hash = ?2 AND account_id = accounts.id)
         OR EXISTS (SELECT 1 FROM import_marks
           WHERE account_id = accounts.id AND kind = 'key' AND reference = ?2))
       ON CONFLICT (account_id, kind, reference) DO UPDATE SET created_at = created_at
       RETURNING reference`,
    )
    .bind(email, hash, now)

  return [
    { statement: insert, ifRow: 'keysImported' },
    { statement: mark, ifRow: 'keysKnown', ifNone: 'keysTaken' },
  ]
}
