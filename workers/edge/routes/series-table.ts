/** Series of several pairs, made of their daily closes. Pure. */
import type { EVERY, SERIES_SIDES, SERIES_VALUES } from '../../../shared/api/series.ts'
import {
  addDays,
  type Day,
  type DayNumber,
  dayNumber,
  dayOfNumber,
  weekday,
} from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import {
  divideHalfAwayFromZero,
  percentChange,
  type Price,
  PRICE_SCALE,
  priceToNumber,
} from '../../../shared/market/price.ts'

export type Every = (typeof EVERY)[number]
export type SeriesValue = (typeof SERIES_VALUES)[number]
export type SeriesSide = (typeof SERIES_SIDES)[number]

/** A day with a change: the requested value, and its close, which later days carry forward. */
export type DayValue = readonly [day: DayNumber, value: Price, close: Price]

/** Days that make one row, both inclusive. */
export interface Period {
  first: DayNumber
  last: DayNumber
}

/** The days, weeks (from Monday) or months of a range. The first and last are cut to the range. */
export function periodsOf(from: Day, to: Day, every: Every): Period[] {
  const end = dayNumber(to)
  const periods: Period[] = []
  for (let first = dayNumber(from); first <= end; first = periods.at(-1)!.last + 1) {
    periods.push({ first, last: Math.min(end, lastOf(first, every)) })
  }
  return periods
}

function lastOf(first: DayNumber, every: Every): DayNumber {
  if (every === 'day') return first
  const day = dayOfNumber(first)
  if (every === 'week') return first + ((7 - weekday(day)) % 7)

  // Four days after the 28th is always in the next month.
  const next = addDays(`${day.slice(0, 8)}28`, 4)
  return dayNumber(`${next.slice(0, 8)}01`) - 1
}

/**
 * One value per period, null before the first value. `days` are the days with a change, oldest
 * first, beginning with the last such day before the periods. Days without a change carry the close
 * forward. An average is the mean of the period's closes, at the pair's decimals.
 */
export function seriesOf(
  days: readonly DayValue[],
  periods: readonly Period[],
  value: SeriesValue,
  { decimals }: Pick<Pair, 'decimals'>,
): (Price | null)[] {
  let next = 0
  let carried: Price | null = null

  return periods.map(({ first, last }) => {
    while (next < days.length && days[next]![0] < first) carried = days[next++]![2]
    const before = carried
    const start = next
    while (next < days.length && days[next]![0] <= last) carried = days[next++]![2]

    // Most periods have no change of their own; they need no list.
    if (start === next || value === 'close') return carried
    const changed = days.slice(start, next)
    if (value === 'open')
      return changed[0]![0] === first ? changed[0]![1] : (before ?? changed[0]![1])
    if (value === 'average') return averageOf({ first, last }, changed, before, decimals)
    // High and low include the value in effect when the period begins. UVA and CER change exactly
    // at midnight: if they change on the first day, the value before was never in effect in it.
    const values = changed.map(([, price]) => price)
    if (before !== null && changed[0]![0] > first) values.push(before)
    return value === 'high' ? Math.max(...values) : Math.min(...values)
  })
}

function averageOf(
  { first, last }: Period,
  changed: readonly DayValue[],
  before: Price | null,
  decimals: Pair['decimals'],
): Price {
  let [sum, count] = [0, 0]
  let [since, price] = [first, before]
  for (const [day, , close] of [...changed, [last + 1, 0, 0] as const]) {
    if (price !== null) {
      sum += price * (day - since)
      count += day - since
    }
    since = day
    price = close
  }
  return meanPrice(sum, count, decimals)
}

/** A mean at the pair's decimals, half away from zero (decision 57: decimals of prices). */
function meanPrice(sum: number, count: number, decimals: Pair['decimals']): Price {
  const step = PRICE_SCALE / 10 ** decimals
  return Number(divideHalfAwayFromZero(BigInt(sum), BigInt(count * step))) * step
}

const print = (price: Price | undefined) => (price === undefined ? null : priceToNumber(price))

/**
 * The summary of a column's values by date, whatever the sequence of the rows. Its fields are null
 * when no row has a value.
 */
export function summaryOf(pair: Pair, dates: readonly Day[], column: readonly (Price | null)[]) {
  const known = column
    .flatMap((price, row) => (price === null ? [] : [{ price, date: dates[row]! }]))
    .toSorted((a, b) => (a.date < b.date ? -1 : Number(a.date > b.date)))
  const first = known[0]
  const last = known.at(-1)
  const minimum = known.reduce((least, each) => (each.price < least.price ? each : least), first!)
  const maximum = known.reduce((most, each) => (each.price > most.price ? each : most), first!)
  const sum = known.reduce((total, { price }) => total + price, 0)

  return {
    currency: pair.currency,
    origin: pair.origin,
    name: pair.name,
    first: print(first?.price),
    firstDate: first?.date ?? null,
    last: print(last?.price),
    lastDate: last?.date ?? null,
    change: first && last ? priceToNumber(last.price - first.price) : null,
    percent: first && last ? percentChange(last.price, first.price) : null,
    minimum: print(minimum?.price),
    minimumDate: minimum?.date ?? null,
    maximum: print(maximum?.price),
    maximumDate: maximum?.date ?? null,
    average: first ? priceToNumber(meanPrice(sum, known.length, pair.decimals)) : null,
  }
}
