/** A current quote as it is printed. No imports beyond the small ones: the edge's hot path. */
import { formatArgentine, type Instant } from './argentine-time.ts'
import type { BoardQuote } from './board.ts'
import { changeOfDay } from './change.ts'
import { numberToPrice } from './price.ts'

/** The v2 fields of a list. */
export function printQuote(quote: BoardQuote, now: Instant) {
  const { currency, name, origin, buy, sell, valueType } = quote
  const updatedAt = notAfter(quote.updatedAt, now)
  const lastScrapedAt = notAfter(quote.lastScrapedAt, now)
  return { currency, name, origin, buy, sell, updatedAt, lastScrapedAt, valueType }
}

/** The same with `change`, as a single pair is read. */
export function printQuoteWithChange(quote: BoardQuote, now: Instant) {
  return { ...printQuote(quote, now), change: changeOf(quote, now) }
}

/** No instant lies in the future (decision 3), also when this machine's clock is behind. */
export function notAfter(printed: string, now: Instant): string {
  if (Date.parse(printed) <= now) return printed
  return formatArgentine(now)
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
