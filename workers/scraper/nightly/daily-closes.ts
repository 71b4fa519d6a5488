/** The closes of every pair on every day, and the CSV and Parquet files of them. */
import { type Day, dayOfNumber } from '../../../shared/argentine-time.ts'
import type { PairCloses } from '../db/nightly.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { type Price, PRICE_SCALE, priceToNumber } from '../../../shared/market/price.ts'
import { parquetWriteBuffer } from 'hyparquet-writer'

/** A pair's close on each calendar day from its first value on. */
export interface PairDays {
  pair: Pair
  /** The first day, in days since 1970-01-01. */
  first: number
  buy: Price[]
  sell: Price[]
  /** Whether the value changed on the day. Other days carry the last close. */
  changed: boolean[]
}

/** The closes of every pair that has one, and the text of each day. */
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

/** RFC 4180 with a header row and decimal points. Pairs in catalogue order, days ascending. */
export function toCsvFile({ pairs, dayText }: DailyCloses): string {
  const lines = ['date,currency,origin,buy,sell,changed']
  for (const { pair, first, buy, sell, changed } of pairs) {
    const { currency, origin } = pair
    for (const [index, price] of sell.entries()) {
      const sides = `${priceToNumber(buy[index]!)},${priceToNumber(price)}`
      lines.push(`${dayText(first + index)},${currency},${origin},${sides},${changed[index]!}`)
    }
  }
  return `${lines.join('\r\n')}\r\n`
}

const DECIMALS = Math.log10(PRICE_SCALE)
const required = { repetition_type: 'REQUIRED' } as const
const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', ...required } as const
const decimal = {
  type: 'INT64',
  converted_type: 'DECIMAL',
  precision: 18,
  scale: DECIMALS,
  ...required,
} as const

/** The same columns as the CSV. Prices are exact, with four decimals. */
export function toParquet({ pairs }: DailyCloses): Uint8Array {
  const repeated = <Value>(value: (of: DailyCloses['pairs'][number]) => Value) =>
    pairs.flatMap((of) => of.sell.map(() => value(of)))

  return new Uint8Array(
    parquetWriteBuffer({
      schema: [
        { name: 'daily_closes', num_children: 6 },
        { name: 'date', type: 'INT32', converted_type: 'DATE', ...required },
        { name: 'currency', ...text },
        { name: 'origin', ...text },
        { name: 'buy', ...decimal },
        { name: 'sell', ...decimal },
        { name: 'changed', type: 'BOOLEAN', ...required },
      ],
      columnData: [
        {
          name: 'date',
          data: pairs.flatMap(({ first, sell }) => sell.map((_, index) => first + index)),
        },
        { name: 'currency', data: repeated(({ pair }) => pair.currency) },
        { name: 'origin', data: repeated(({ pair }) => pair.origin) },
        { name: 'buy', data: pairs.flatMap(({ buy }) => buy.map(BigInt)) },
        { name: 'sell', data: pairs.flatMap(({ sell }) => sell.map(BigInt)) },
        { name: 'changed', data: pairs.flatMap(({ changed }) => changed) },
      ],
      rowGroupSize: 100_000,
      createdBy: 'cotizaciones',
    }),
  )
}
