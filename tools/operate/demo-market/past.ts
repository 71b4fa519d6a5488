/** The past of the demo market, as cycles would have recorded it. */
import {
  addDays,
  argentineDay,
  DAY_MS,
  dayEnd,
  type Instant,
} from '../../../shared/argentine-time.ts'
import { namedBatch } from '../../../shared/db/named-batch.ts'
import { invoicingStatements } from '../../../shared/db/quotes/invoicing.ts'
import { isBankDay } from '../../../shared/market/holidays.ts'
import { type Pair, type PairKey, pairKey, PAIRS } from '../../../shared/market/catalog.ts'
import { PRICE_SCALE } from '../../../shared/market/price.ts'
import { chunksOf } from '../../support/chunks.ts'
import { closeOf } from '../import/formats.ts'
import { importSeries } from '../import/import-series.ts'
import { cut, daysFrom } from './documents.ts'
import { marketAt, type Sides, TICK_MS, tableClose, wholesaleRates } from './market.ts'

/** The past has one value a day for two years, then one value each `TICK_MS` for a week. */
const PAST_DAYS = 2 * 365
const RECENT_MS = 7 * DAY_MS

const TABLES_AT_ONCE = 200

/** Imports the demo market's past, by the same rules as other imports. Returns the point count. */
export async function importPast(db: D1Database, now: Instant): Promise<number> {
  await importTables(db, now)
  const moments = pastOf(now)
  let made = 0
  for (const pair of PAIRS) {
    const rows = moments.map((moment) => rowOf(pair, moment))
    const format = { source: 'import:demo', kind: 'timed' } as const
    made += (await importSeries(db, format, { pair, rows })).made
  }
  return made
}

/** Imports the bank's wholesale table of each past business day. */
async function importTables(db: D1Database, now: Instant) {
  const today = argentineDay(now)
  const days = daysFrom(addDays(today, -PAST_DAYS), addDays(today, -1)).filter((day) =>
    isBankDay(day),
  )
  const statements = days.map((day) => {
    const publishedAt = tableClose(day)
    const rates = wholesaleRates(marketAt(publishedAt)).map(({ buy, sell, ...row }) => ({
      ...row,
      buy: String(cut(buy, 4)),
      sell: String(cut(sell, 4)),
    }))
    return invoicingStatements(db, { day, publishedAt, source: 'bna-divisas', rates }, publishedAt)
  })
  for (const stored of chunksOf(statements, TABLES_AT_ONCE))
    await namedBatch(db, { stored: stored.flat() })
}

interface Moment {
  at: Instant
  /** Whether this is the close of a whole day. */
  isClose: boolean
  quotes: Partial<Record<PairKey, Sides>>
}

/** The end of each day until a week ago, then every `TICK_MS` of the last week. */
export function pastOf(now: Instant): Moment[] {
  const weekAgo = now - (now % TICK_MS) - RECENT_MS
  const day = argentineDay(weekAgo)
  const closes = daysFrom(addDays(day, -PAST_DAYS), addDays(day, -1)).map(dayEnd)
  const ticks = Array.from(
    { length: RECENT_MS / TICK_MS },
    (_, index) => weekAgo + (index + 1) * TICK_MS,
  )
  return [...closes, ...ticks].map((at, index) => ({
    at,
    isClose: index < closes.length,
    quotes: marketAt(at),
  }))
}

function rowOf(pair: Pair, { at, isClose, quotes }: Moment) {
  const { buy, sell } = quotes[pairKey(pair)]!
  const price = (value: number) => Math.round(cut(value, pair.decimals) * PRICE_SCALE)
  return {
    at: isClose ? closeOf(pair, argentineDay(at)) : at,
    buy: price(buy),
    sell: price(sell),
  }
}
