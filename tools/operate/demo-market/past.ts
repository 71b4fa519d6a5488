/** The demo market's past: what cycles would have recorded of it. */
import {
  addDays,
  argentineDay,
  DAY_MS,
  dayEnd,
  type Instant,
  MINUTE_MS,
} from '../../../shared/argentine-time.ts'
import { type Pair, PAIRS } from '../../../shared/market/catalog.ts'
import type { QuotedPoint } from '../../../shared/market/quoted-point.ts'
import { closeOf } from '../import/formats.ts'
import { type Market, marketAt, type MarketOptions } from './market.ts'
import { quotesOf } from './quotes-of.ts'

/** How far back there are daily values, and how far values of each `STEP_MS`. */
export const PAST_DAYS = 2 * 365
export const RECENT_MS = 7 * DAY_MS
const STEP_MS = 5 * MINUTE_MS

export type PairRows = ReadonlyMap<Pair, QuotedPoint[]>

/** Every pair at the end of each day of the last two years, days that are over. */
export function pastDays(now: Instant, options: MarketOptions): PairRows {
  const today = argentineDay(now)
  const days = Array.from({ length: PAST_DAYS }, (_, index) => addDays(today, index - PAST_DAYS))
  const markets = days.map((day) => marketAt(dayEnd(day), options))
  return rowsOf(markets, (pair, { today: day }) => closeOf(pair, day))
}

/** Every pair in each five minutes of the last week, up to `now`. */
export function pastWeek(now: Instant, options: MarketOptions): PairRows {
  const last = Math.floor(now / STEP_MS) * STEP_MS
  const instants = Array.from(
    { length: RECENT_MS / STEP_MS },
    (_, index) => last - RECENT_MS + (index + 1) * STEP_MS,
  )
  return rowsOf(
    instants.map((at) => marketAt(at, options)),
    (_, market) => market.now,
  )
}

function rowsOf(markets: readonly Market[], atOf: (pair: Pair, market: Market) => Instant) {
  const rows = new Map<Pair, QuotedPoint[]>(PAIRS.map((pair) => [pair, []]))
  for (const market of markets) {
    const quotes = quotesOf(market)
    for (const [pair, of] of rows) of.push({ at: atOf(pair, market), ...quotes.get(pair)! })
  }
  return rows
}
