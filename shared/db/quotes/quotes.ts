/** Current quotes: the content of the board and of its fallback. */
import { formatArgentine, type Instant } from '../../argentine-time.ts'
import type { BoardQuote } from '../../board/board.ts'
import { type Pair, PAIRS } from '../../market/catalog.ts'
import { type Price, priceToNumber } from '../../market/price.ts'
import type { currentQuotes as table } from '../schema.ts'
import { LAST_SCRAPED } from './last-scraped.ts'

/** The value in effect of a pair. */
export interface CurrentQuote {
  pair: Pair
  buy: Price
  sell: Price
  source: string
  /** When the value in effect was first seen. */
  updatedAt: Instant
  /** Last cycle in which a source confirmed it. */
  lastScrapedAt: Instant
  /** The last sell before the Argentine midnight of the day of `updatedAt`. */
  referenceSell: Price | null
}

/** A row as the queries return it: `lastScrapedAt` comes from the row of all pairs. */
type CurrentQuoteRow = typeof table.$inferSelect & { lastScrapedAt: Instant }

/** For a batch; `currentQuotes` reads its result. */
export function currentQuotesStatement(db: D1Database): D1PreparedStatement {
  return db.prepare(
    `select pair, buy, sell, source, updated_at as updatedAt, ${LAST_SCRAPED} as lastScrapedAt,
       reference_sell as referenceSell from current_quotes as q`,
  )
}

/** In catalogue order; rows of pairs that left the catalogue are dropped. */
export function currentQuotes({ results }: D1Result): CurrentQuote[] {
  const byPair = new Map((results as CurrentQuoteRow[]).map((row) => [row.pair, row]))
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
