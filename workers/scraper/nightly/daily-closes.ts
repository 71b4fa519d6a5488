import { type Day, dayOfNumber } from '../../../shared/argentine-time.ts'
import type { PairCloses } from '../db/archive.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { Price } from '../../../shared/market/price.ts'

/** A pair's close on each calendar day from its first value on. */
export interface PairDays {
  pair: Pair
  /** Days since 1970-01-01 of the first. */
  first: number
  buy: Price[]
  sell: Price[]
  /** Whether the value changed on the day; the others carry the last close. */
  changed: boolean[]
}

/** Every pair with a close, and the text of each day. */
export interface DailyCloses {
  pairs: PairDays[]
  /** Days since 1970-01-01: the first day of any pair, and the last, which all pairs have. */
  first: number
  last: number
  dayText: (day: number) => Day
}

/** Carries each close to the days without a change, up to `last`. */
export function dailyCloses(closes: readonly PairCloses[], last: number): DailyCloses {
  const pairs = closes.map((of) => daysOf(of, last))
  const first = Math.min(...pairs.map(({ first }) => first))
  const texts = Array.from({ length: last - first + 1 }, (_, index) => dayOfNumber(first + index))
  return { pairs, first, last, dayText: (day) => texts[day - first]! }
}

function daysOf({ pair, closes }: PairCloses, last: number): PairDays {
  const first = closes[0]![0]
  const days: PairDays = { pair, first, buy: [], sell: [], changed: [] }
  for (const [index, [day, sell, buy]] of closes.entries()) {
    const until = closes[index + 1]?.[0] ?? last + 1
    for (let at = day; at < until; at++) {
      days.sell.push(sell)
      days.buy.push(buy)
      days.changed.push(at === day)
    }
  }
  return days
}

/** The number of rows: one per pair and day. */
export function countRows({ pairs }: DailyCloses): number {
  return pairs.reduce((sum, { sell }) => sum + sell.length, 0)
}

/** Calls `visit` for each pair and day: pairs in catalogue order, their days ascending. */
export function eachClose(
  { pairs, dayText }: DailyCloses,
  visit: (pair: Pair, date: Day, buy: Price, sell: Price, changed: boolean) => void,
): void {
  for (const { pair, first, buy, sell, changed } of pairs) {
    for (let index = 0; index < sell.length; index++) {
      visit(pair, dayText(first + index), buy[index]!, sell[index]!, changed[index]!)
    }
  }
}
