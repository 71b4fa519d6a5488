/**
 * The nightly file from which the compatibility addresses answer a closed day without a database: a line of
 * JSON for each calendar day, oldest first, and none is missing.
 */
import { type Day, daysBetween } from '../argentine-time.ts'
import type { Pair } from '../market/catalog.ts'
import type { Price } from '../market/price.ts'
import { compatibilityFile } from './files.ts'

export const DAYS = compatibilityFile('days')

/** The closes of a day, without the pairs that have no value yet. */
type Close = readonly [pair: number, buy: Price, sell: Price]

export function printDay(day: Day, closes: readonly Close[]): string {
  return JSON.stringify([day, ...closes])
}

export interface ClosedDays {
  first: Day
  lines: readonly string[]
}

/** Null for a text that does not begin with a day. */
export function parseDays(text: string): ClosedDays | null {
  const first = /^\["(\d{4}-\d{2}-\d{2})"/.exec(text)?.[1]
  return first === undefined ? null : { first, lines: text.split('\n') }
}

/** The closes of a day in the order of the pairs; null when the file does not have the day. */
export function closesOn(
  { first, lines }: ClosedDays,
  day: Day,
  pairs: readonly Pair[],
): ({ buy: Price; sell: Price } | null)[] | null {
  const line = day < first ? undefined : lines[daysBetween(first, day)]
  if (line === undefined) return null

  const [, ...closes] = JSON.parse(line) as [Day, ...Close[]]
  return pairs.map(({ id }) => {
    const close = closes.find(([pair]) => pair === id)
    return close ? { buy: close[1], sell: close[2] } : null
  })
}
