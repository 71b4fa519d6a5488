import type { Instant } from '../../argentine-time.ts'
import { type RandomBytes, randomUuid } from '../../crypto/random.ts'

/** An account of the predecessor with its keys, whose secrets are already hashes. */
export interface InheritedAccount {
  /** As `normalizeEmail` keeps it. */
  email: string
  keys: { name: string; prefix: string; hash: string; createdAt: Instant }[]
}

export interface ImportCounts {
  accountsMade: number
  accountsKnown: number
  keysImported: number
  /** Imported earlier, even if rotated or revoked since. */
  keysKnown: number
  /** Keys that another account has. */
  keysTaken: number
}

/**
 * Accounts or keys of one batch: a remote database takes statements of at most 100 kB, and a local one
 * closes a connection that stays silent too long.
 */
const CHUNK = 100

interface Key {
  id: string
  email: string
  name: string
  prefix: string
  hash: string
  createdAt: Instant
}

/**
 * Imports accounts and keys of the predecessor. A mark for every key makes a second import skip it,
 * even if the key was rotated or revoked since. Every batch is complete, so running an interrupted
 * import again finishes it.
 */
export async function importInheritedKeys(
  db: D1Database,
  accounts: readonly InheritedAccount[],
  {
    now,
    random,
    onProgress = () => {},
  }: { now: Instant; random: RandomBytes; onProgress?: (share: number) => void },
): Promise<ImportCounts> {
  const counts = { accountsMade: 0, accountsKnown: 0, keysImported: 0, keysKnown: 0, keysTaken: 0 }
  const all = accounts.length + accounts.reduce((sum, { keys }) => sum + keys.length, 0)
  let done = 0

  for (const chunk of chunksOf(accounts)) {
    const made = await importAccounts(db, chunk, now, random)
    counts.accountsMade += made
    counts.accountsKnown += chunk.length - made
    onProgress((done += chunk.length) / all)
  }
  const keys = accounts.flatMap(({ email, keys }) => keys.map((key) => ({ email, ...key })))
  for (const chunk of chunksOf(keys)) {
    const named = chunk.map((key) => ({ id: randomUuid(random), ...key }))
    const { imported, marked } = await importKeys(db, named, now)
    counts.keysImported += imported
    counts.keysKnown += marked - imported
    counts.keysTaken += chunk.length - marked
    onProgress((done += chunk.length) / all)
  }
  return counts
}

async function importAccounts(
  db: D1Database,
  accounts: readonly InheritedAccount[],
  now: Instant,
  random: RandomBytes,
): Promise<number> {
  const rows = accounts.map(({ email }) => [randomUuid(random), email])
  const { results } = await db
    .prepare(
      `insert into accounts (id, name, email, email_verified, created_at, updated_at)
       select value ->> 0, '', value ->> 1, 0, ?2, ?2 from json_each(?1) where true
       on conflict (email) do nothing returning id`,
    )
    .bind(JSON.stringify(rows), now)
    .all()
  return results.length
}

/** `marked` counts the keys that belong or belonged to their account, imported now or earlier. */
async function importKeys(
  db: D1Database,
  keys: readonly Key[],
  now: Instant,
): Promise<{ imported: number; marked: number }> {
  const [imported, marked] = await db.batch([
    db
      .prepare(
        `insert into api_keys (id, account_id, name, prefix, hash, inherited, created_at)
         select value ->> 'id', accounts.id, value ->> 'name', value ->> 'prefix',
           value ->> 'hash', 1, value ->> 'createdAt'
         from json_each(?1) join accounts on accounts.email = value ->> 'email'
         where not exists (select 1 from import_marks
           where account_id = accounts.id and kind = 'key' and reference = value ->> 'hash')
         on conflict (hash) do nothing returning id`,
      )
      .bind(JSON.stringify(keys)),
    // Returns a row for a new or existing mark; none when the key belongs to another account.
    db
      .prepare(
        `insert into import_marks (account_id, kind, reference, created_at)
         select accounts.id, 'key', value ->> 1, ?2
         from json_each(?1) join accounts on accounts.email = value ->> 0
         where exists (select 1 from api_keys
             where hash = value ->> 1 and account_id = accounts.id)
           or exists (select 1 from import_marks
             where account_id = accounts.id and kind = 'key' and reference = value ->> 1)
         on conflict (account_id, kind, reference) do update set created_at = created_at
         returning reference`,
      )
      .bind(JSON.stringify(keys.map(({ email, hash }) => [email, hash])), now),
  ])
  return { imported: imported!.results.length, marked: marked!.results.length }
}

function* chunksOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += CHUNK) yield all.slice(from, from + CHUNK)
}
