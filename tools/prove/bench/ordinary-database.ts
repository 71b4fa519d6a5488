import { findPairByKey, PAIRS } from '../../../shared/market/catalog.ts'
import { argentineDay, type Day, type Instant } from '../../../shared/argentine-time.ts'
import { rebuildCandles } from '../../../shared/db/quotes/candles.ts'
import { fromNumbers, insertRows } from '../harness/rows.ts'
import { generateKey } from '../../../shared/access/api-key.ts'
import { randomBytes as random } from '../../support/random.ts'

export const ACCOUNTS = 200
export const HOURS = 20_000

export const blue = findPairByKey('usd/blue')!

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

/** Points written by one statement: some seconds of work, so that progress is visible. */
const CHUNK = 500_000

/** The span over which the points are spread evenly: 500 million seconds from 2011 on. */
const FIRST_AT = 1_293_840_000_000
const SPAN_MS = 500_000_000_000

/**
 * Fills the database with so many points, spread over all pairs. Gives its size in bytes.
 */
export async function fillPoints(
  db: D1Database,
  count: number,
  progress: (line: string) => void,
): Promise<number> {
  const begin = performance.now()
  const perPair = Math.ceil(count / PAIRS.length)

  for (const [index, pair] of PAIRS.entries()) {
    for (let from = 0; from < perPair; from += CHUNK) {
      const to = Math.min(from + CHUNK, perPair)
      await db
        .prepare(INSERT)
        .bind(pair.id, from, to, FIRST_AT, SPAN_MS / perPair)
        .run()
    }
    const seconds = ((performance.now() - begin) / 1000).toFixed(0)
    progress(
      `${((index + 1) * perPair).toLocaleString('en')} of ${count.toLocaleString('en')} points, ${seconds} s`,
    )
  }
  return (await db.prepare('select 1').run()).meta.size_after
}

/** Prices of five to seven digits and a source's name, as real points have. */
const INSERT = `
  insert into points (pair, at, buy, sell, source)
  with recursive n(i) as (select ?2 union all select i + 1 from n where i < ?3 - 1)
  select ?1, ?4 + cast(i * ?5 as integer), 10000000 + i * 7919 % 5000000,
    10100000 + i * 7919 % 5000000, 'ambito-blue'
  from n`

/** An instant of the span of those points. */
export function randomInstant(): Instant {
  return FIRST_AT + Math.floor(Math.random() * SPAN_MS)
}

const SELLS = ['open', 'high', 'low', 'close']
const BUYS = ['buy', 'buy_open', 'buy_high', 'buy_low']

/** One point a pair and day, and the candle that it makes: prices of seven digits that move each day. */
export async function seedDays(db: D1Database, first: Day, days: number): Promise<void> {
  const prices = { sell: '10000000 + i * 731', buy: '9900000 + i * 731' }
  const candle = {
    day: `date(?2, '+' || (i - 1) || ' days')`,
    ...Object.fromEntries(SELLS.map((column) => [column, prices.sell])),
    ...Object.fromEntries(BUYS.map((column) => [column, prices.buy])),
  }
  const point = { at: `unixepoch(?2, '+' || (i - 1) || ' days') * 1000 + 54000000`, ...prices }
  const tables = [
    ['daily_candles', candle],
    ['points', { ...point, source: `'import:bench'` }],
  ] as const
  for (const { id } of PAIRS)
    for (const [table, columns] of tables)
      await db
        .prepare(insertRows(table, { pair: '?1', ...columns }, fromNumbers('?3')))
        .bind(id, first, days)
        .run()
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
