/** A current quote as it is printed. */
import type { Instant } from '../argentine-time.ts'
import { type Board, type BoardQuote, quoteOf } from './board.ts'
import type { Pair } from '../market/catalog.ts'
import { changeOfDay } from '../market/change.ts'
import { numberToPrice } from '../market/price.ts'
import type { QuotedPoint } from '../market/quoted-point.ts'

/** The v2 fields of a list. */
export function printQuote(quote: BoardQuote) {
  const { currency, name, origin, buy, sell, updatedAt, lastScrapedAt, valueType } = quote
  return { currency, name, origin, buy, sell, updatedAt, lastScrapedAt, valueType }
}

/** The same with `change`, as a single pair is read. */
export function printQuoteWithChange(quote: BoardQuote, now: Instant) {
  return { ...printQuote(quote), change: changeOf(quote, now) }
}

/** The value in effect of a pair; null when it was never quoted. */
export function pointOnBoard(board: Board, { currency, origin }: Pair): QuotedPoint | null {
  const quote = quoteOf(board, currency, origin)
  if (!quote) return null
  const { buy, sell, updatedAt } = quote
  return { at: Date.parse(updatedAt), buy: numberToPrice(buy), sell: numberToPrice(sell) }
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
