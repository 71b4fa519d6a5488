/**
 * A current quote as it is printed. It is on the edge's hot path, so it imports only small modules.
 */
import type { Instant } from '../argentine-time.ts'
import type { BoardQuote } from './board.ts'
import { changeOfDay } from '../market/change.ts'
import { numberToPrice } from '../market/price.ts'

/** The v2 fields of a list. */
export function printQuote(quote: BoardQuote) {
  const { currency, name, origin, buy, sell, updatedAt, lastScrapedAt, valueType } = quote
  return { currency, name, origin, buy, sell, updatedAt, lastScrapedAt, valueType }
}

/** The same with `change`, as a single pair is read. */
export function printQuoteWithChange(quote: BoardQuote, now: Instant) {
  return { ...printQuote(quote), change: changeOf(quote, now) }
}

function changeOf(quote: BoardQuote, now: Instant) {
  return changeOfDay(
    {
      sell: numberToPrice(quote.sell),
      updatedAt: Date.parse(quote.updatedAt),
      referenceSell: quote.referenceSell === null ? null : numberToPrice(quote.referenceSell),
    },
    now,
  )
}
