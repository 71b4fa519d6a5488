/** The demo market's past: what cycles would have recorded of it. */
import {
  addDays,
  argentineDay,
  DAY_MS,
  dayEnd,
  type Instant,
  MINUTE_MS,
} from '../../../shared/argentine-time.ts'
import { invoicingStatements } from '../../../shared/db/quotes/invoicing-tables.ts'
import { type Pair, pairKey, PAIRS } from '../../../shared/market/catalog.ts'
import { PRICE_SCALE } from '../../../shared/market/price.ts'
import { closeOf } from '../import/formats.ts'
import { importSeries } from '../import/import-series.ts'
import { dayRanges } from '../import/ranges.ts'
import { bankDaysFrom, cut } from './documents.ts'
import { marketAt, type MarketOptions, quotesOf, tableClose, wholesaleRates } from './market.ts'

/** How far back there are daily values, and how far values of each `STEP_MS`. */
const PAST_DAYS = 2 * 365
const RECENT_MS = 7 * DAY_MS
const STEP_MS = 5 * MINUTE_MS

const TABLES_AT_ONCE = 200

/** Gives a state the demo market's past, by the import's rules. Returns how many points were made. */
export async function importPast(
  db: D1Database,
  now: Instant,
  market: MarketOptions,
): Promise<number> {
  await importTables(db, now, market)
  const { days, week } = pastOf(now, market)
  let made = 0
  for (const pair of PAIRS) {
    for (const { format, rows, coverage } of [seriesOfWeek(pair, week), seriesOfDays(pair, days)]) {
      const series = { pair, rows, coverage, read: rows.length, skipped: new Map() }
      made += (await importSeries(db, format, series, { dryRun: false })).made
    }
  }
  return made
}

/** The bank's wholesale table of each business day that is over. */
async function importTables(db: D1Database, now: Instant, options: MarketOptions) {
  const today = argentineDay(now)
  const days = bankDaysFrom(addDays(today, -PAST_DAYS), addDays(today, -1))
  const statements = days.map((day) => {
    const publishedAt = tableClose(day)
    const rates = wholesaleRates(marketAt(publishedAt, options)).map(({ buy, sell, ...row }) => ({
      ...row,
      buy: String(cut(buy, 4)),
      sell: String(cut(sell, 4)),
    }))
    return invoicingStatements(db, { day, publishedAt, source: 'bna-divisas', rates }, publishedAt)
  })
  for (let from = 0; from < days.length; from += TABLES_AT_ONCE) {
    await db.batch(statements.slice(from, from + TABLES_AT_ONCE).flat())
  }
}

interface Moment {
  at: Instant
  quotes: ReturnType<typeof quotesOf>
}

/** All pairs at the end of each day that is over, and in each five minutes of the last week. */
export function pastOf(now: Instant, options: MarketOptions) {
  const today = argentineDay(now)
  const last = now - (now % STEP_MS)
  const momentAt = (at: Instant): Moment => ({ at, quotes: quotesOf(marketAt(at, options)) })
  return {
    days: Array.from({ length: PAST_DAYS }, (_, index) =>
      momentAt(dayEnd(addDays(today, index - PAST_DAYS))),
    ),
    week: Array.from({ length: RECENT_MS / STEP_MS }, (_, index) =>
      momentAt(last - RECENT_MS + (index + 1) * STEP_MS),
    ),
  }
}

function seriesOfDays(pair: Pair, moments: readonly Moment[]) {
  const days = moments.map(({ at }) => argentineDay(at))
  return {
    format: { source: 'import:demo-days', kind: 'daily' } as const,
    rows: moments.map((moment, index) => rowOf(pair, moment, closeOf(pair, days[index]!))),
    coverage: dayRanges(days),
  }
}

function seriesOfWeek(pair: Pair, moments: readonly Moment[]) {
  return {
    format: { source: 'import:demo-week', kind: 'timed' } as const,
    rows: moments.map((moment) => rowOf(pair, moment, moment.at)),
    coverage: [[moments[0]!.at, moments.at(-1)!.at] as const],
  }
}

function rowOf(pair: Pair, { quotes }: Moment, at: Instant) {
  const { buy, sell } = quotes[pairKey(pair)]!
  const price = (value: number) => Math.round(cut(value, pair.decimals) * PRICE_SCALE)
  return { at, buy: price(buy), sell: price(sell) }
}
