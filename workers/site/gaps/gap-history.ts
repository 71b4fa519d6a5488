/** The gap of each dollar to the official one, now and over the last year. */
import {
  argentineDay,
  DAY_MS,
  dayEnd,
  type Day,
  type Instant,
} from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'
import { findPairByKey, type Pair, pairsOf } from '../../../shared/market/catalog.ts'
import { percentChange } from '../../../shared/market/price.ts'
import { type DailyValues, dailyValues } from '../board/line.ts'
import { viewOf, type PairView } from '../board/quote-view.ts'
import { readCloses } from '../pair/read-charts.ts'

export const OFFICIAL = findPairByKey('usd/oficial')!
/**
 * Drawn by default: the dollars that are sold above the official one. The wholesale and futures
 * dollars are close to it.
 */
const USUAL = ['BLUE', 'BOLSA', 'CCL']
const DAYS = 365

export interface GapHistory {
  view: PairView
  /** Whether the chart shows it by default. */
  usual: boolean
  /** Percent; null where one of the two values is missing. */
  now: number | null
  weekAgo: number | null
  monthAgo: number | null
  yearAgo: number | null
  least: Extreme | null
  most: Extreme | null
  /** At the end of each of the last days, and now. */
  values: DailyValues
}

export interface Extreme {
  day: Day
  percent: number
}

/** Every dollar but the official one. */
export async function readGaps(kv: KVNamespace, board: Board, now: Instant): Promise<GapHistory[]> {
  const pairs = pairsOf('USD')!
  const rows = await Promise.all(pairs.map((pair) => yearOf(kv, board, pair, now)))
  const base = rows[pairs.indexOf(OFFICIAL)]!.values
  return rows
    .filter(({ view }) => view.pair !== OFFICIAL)
    .map(({ view, values }) => gapHistory(view, values, base, now))
}

async function yearOf(kv: KVNamespace, board: Board, pair: Pair, now: Instant) {
  const view = viewOf(board, pair, now)
  const closes = await readCloses(kv, pair)
  return {
    view,
    values: dailyValues({ closes: closes.slice(-DAYS - 10), quote: view.quote }, DAYS, now),
  }
}

function gapHistory(view: PairView, own: DailyValues, base: DailyValues, now: Instant): GapHistory {
  const values = own.map((value, index) => percentOver(value, base[index] ?? null))
  const yesterday = dayEnd(argentineDay(now)) - DAY_MS
  const days = values.slice(0, -1).flatMap((percent, index) => {
    const day = argentineDay(yesterday - (DAYS - 1 - index) * DAY_MS)
    return percent === null ? [] : [{ day, percent }]
  })
  const ordered = days.toSorted((a, b) => a.percent - b.percent)
  const back = (count: number) => values[DAYS - count] ?? null
  return {
    view,
    usual: USUAL.includes(view.pair.origin),
    now: view.quote?.gap ?? null,
    weekAgo: back(7),
    monthAgo: back(30),
    yearAgo: back(365),
    least: ordered[0] ?? null,
    most: ordered.at(-1) ?? null,
    values,
  }
}

/** With the rounding of the board, from prices in ten-thousandths. */
function percentOver(value: number | null, base: number | null): number | null {
  if (value === null || !base) return null
  return percentChange(Math.round(value * 10_000), Math.round(base * 10_000))
}
