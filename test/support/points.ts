import { candleStatements, raiseHistoryStatement } from '../../tools/operate/import/candles.ts'
import { type Day, dayEnd, dayStart } from '../../shared/argentine-time.ts'
import { type InvoicingTable, invoicingStatements } from '../../shared/db/quotes/invoicing.ts'
import { findPairByKey, type Pair } from '../../shared/market/catalog.ts'
import { numberToPrice } from '../../shared/market/price.ts'
import { art } from './instant.ts'
import { env } from './env.ts'

/** Stores points of a pair, `[wall clock, buy, sell, source]`, as live recording would. */
export async function seedPoints(
  key: string,
  ...points: [at: string, buy: number, sell: number, source?: string][]
): Promise<void> {
  const pair = findPairByKey(key)!.id
  const insert = env.DB.prepare('insert or replace into points values (?, ?, ?, ?, ?)')

  await env.DB.batch(
    points.map(([at, buy, sell, source = 'test']) =>
      insert.bind(pair, art(at), numberToPrice(buy), numberToPrice(sell), source),
    ),
  )
}

/** Stores points with the candles of their days, which must be in order. */
export async function seedHistory(...[key, ...points]: Parameters<typeof seedPoints>) {
  await seedPoints(key, ...points)
  const [first, last] = [points[0]!, points.at(-1)!].map(([at]) => at.slice(0, 10))
  await rebuildCandles(findPairByKey(key)!, first!, last!)
}

/** Rebuilds the candles of a pair's days from its points. */
export async function rebuildCandles(pair: Pair, from: Day, to: Day): Promise<void> {
  const { cleared, made } = candleStatements(env.DB, pair, dayStart(from), dayEnd(to))
  await env.DB.batch([cleared, made, raiseHistoryStatement(env.DB)])
}

/** Stores the bank's table of 2026-02-27, with the dollar, or with the changes of the test. */
export async function seedInvoicing(
  changes: Partial<InvoicingTable> = {},
  at = art('2026-02-27 17:00'),
): Promise<void> {
  const rates = [{ currency: 'USD', units: 1, buy: '1451.5', sell: '1460.5' }]
  const table = { day: '2026-02-27', publishedAt: null, source: 'import', rates, ...changes }
  await env.DB.batch(invoicingStatements(env.DB, table, at))
}

/** A history of closes, `[day, buy, sell]`. */
export function seedCloses(key: string, ...closes: [day: string, buy: number, sell: number][]) {
  return seedHistory(
    key,
    ...closes.map(([day, ...prices]): [string, number, number] => [`${day} 12:00`, ...prices]),
  )
}

interface StoredPoint {
  pair: number
  at: number
  /** As stored, in ten-thousandths. */
  buy: number
  sell: number
}

/** Replaces all points by these, and deletes the candles. */
export async function setPoints(points: readonly StoredPoint[]): Promise<void> {
  const rows = points.map(({ pair, at, buy, sell }) => [pair, at, buy, sell])
  await env.DB.batch([
    env.DB.prepare('delete from points'),
    env.DB.prepare('delete from daily_candles'),
    env.DB.prepare(
      `insert into points (pair, at, buy, sell, source)
       select value ->> 0, value ->> 1, value ->> 2, value ->> 3, 'test' from json_each(?)`,
    ).bind(JSON.stringify(rows)),
  ])
}
