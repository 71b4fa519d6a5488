import { findPairByKey } from '../../../shared/market/catalog.ts'
import { argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import { rebuildCandles } from '../../../shared/db/quotes/candles.ts'
import { generateKey } from '../../../shared/access/api-key.ts'
import { randomBytes as random } from '../../support/random.ts'

export const ACCOUNTS = 200
export const HOURS = 20_000

const blue = findPairByKey('usd/blue')!

/** Fills a database as an ordinary one is; returns one of its keys. */
export async function fillOrdinary(db: D1Database, now: Instant): Promise<string> {
  const [key] = await seedKeys(db, ACCOUNTS)
  await db
    .prepare(
      `insert into points with recursive n(i) as
         (select 0 union all select i + 1 from n where i < ?1)
       select ?2, ?3 - i * 3600000, 1, i % 7, 'bench' from n`,
    )
    .bind(HOURS, blue.id, now)
    .run()
  await rebuildCandles(db, blue, '2020-01-01', argentineDay(now))
  return key!
}

/** Accounts with one key each, straight into the tables; returns the keys. */
async function seedKeys(db: D1Database, count: number): Promise<string[]> {
  const now = Date.now()
  const keys = await Promise.all(Array.from({ length: count }, () => generateKey(random)))
  const rows = JSON.stringify(
    keys.map(({ prefix, hash }) => ({ account: crypto.randomUUID(), prefix, hash })),
  )
  await db.batch([
    db
      .prepare(
        `insert into accounts (id, name, email, email_verified, created_at, updated_at)
         select value ->> 'account', 'bench', (value ->> 'account') || '@bench.test', 1, ?2, ?2
         from json_each(?1)`,
      )
      .bind(rows, now),
    db
      .prepare(
        `insert into api_keys (id, account_id, name, prefix, hash, inherited, created_at)
         select value ->> 'hash', value ->> 'account', 'bench', value ->> 'prefix',
           value ->> 'hash', 0, ?2
         from json_each(?1)`,
      )
      .bind(rows, now),
  ])
  return keys.map(({ key }) => key)
}
