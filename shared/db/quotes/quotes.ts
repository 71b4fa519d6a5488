/** Current quotes: the content of the board and of its fallback. */
import { formatArgentine, type Instant } from '../../argentine-time.ts'
import type { BoardQuote } from '../../board/board.ts'
import { type Pair, PAIRS } from '../../market/catalog.ts'
import { type Price, priceToNumber } from '../../market/price.ts'
import type { currentQuotes } from '../schema.ts'

/** The value in effect of a pair. */
export interface CurrentQuote {
  pair: Pair
  buy: Price
  sell: Price
  source: string
  /** First sight of the value now in effect. */
  updatedAt: Instant
  /** Last cycle in which a source confirmed it. */
  lastScrapedAt: Instant
  /** The last sell before the Argentine midnight of the day of `updatedAt`. */
  referenceSell: Price | null
}

/** As the reads give it: `lastScrapedAt` comes from the row of all pairs. */
export type CurrentQuoteRow = typeof currentQuotes.$inferSelect & { lastScrapedAt: Instant }

/** Rows as quotes, in catalogue order; rows of pairs that left the catalogue are dropped. */
export function inCatalogueOrder(rows: readonly CurrentQuoteRow[]): CurrentQuote[] {
  const byPair = new Map(rows.map((row) => [row.pair, row]))
  return PAIRS.flatMap((pair) => {
    const row = byPair.get(pair.id)
    return row ? [{ ...row, pair }] : []
  })
}

export function boardQuote(quote: CurrentQuote, held: boolean): BoardQuote {
  const { currency, name, origin, valueType } = quote.pair
  return {
    currency,
    name,
    origin,
    buy: priceToNumber(quote.buy),
    sell: priceToNumber(quote.sell),
    updatedAt: formatArgentine(quote.updatedAt),
    lastScrapedAt: formatArgentine(quote.lastScrapedAt),
    valueType,
    referenceSell: quote.referenceSell === null ? null : priceToNumber(quote.referenceSell),
    source: quote.source,
    held,
  }
}
