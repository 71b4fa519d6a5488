/**
 * The values in effect by this clock. A row of the future was written by a clock that was wrong
 * then, or is read by one that is wrong now: nobody can tell, so it is neither believed nor touched,
 * and what the points say of now stands in its place, as in a dated read.
 */
import type { Instant } from '../argentine-time.ts'
import { type Pair, PAIRS } from '../catalog.ts'
import { type CurrentQuote, inCatalogueOrder } from './quotes.ts'
import type { currentQuotes } from './schema.ts'

type CurrentQuoteRow = typeof currentQuotes.$inferSelect

export interface QuotesNow {
  /** Of every quoted pair with a value by now, in catalogue order; none of their instants is later. */
  quotes: CurrentQuote[]
  /**
   * Where a pair that was never quoted but has points (from an import) begins: its last one. It was
   * confirmed until the import's coverage ends, for only changes are points.
   */
  begun: CurrentQuote[]
  /** Pairs whose current row is of the future. Nothing can be recorded of them before it is past. */
  ahead: Pair[]
}

/** Two statements of one batch; `quotesNow` reads their results. */
export function quotesNowStatements(db: D1Database, now: Instant): D1PreparedStatement[] {
  return [
    db.prepare(
      `SELECT pair, buy, sell, source, updated_at AS updatedAt, last_scraped_at AS lastScrapedAt,
         reference_sell AS referenceSell FROM current_quotes`,
    ),
    db.prepare(LAST_POINTS).bind(JSON.stringify(PAIRS.map(({ id }) => id)), now),
  ]
}

export function quotesNow([rows, points]: readonly D1Result[], now: Instant): QuotesNow {
  const current = inCatalogueOrder(rows!.results as CurrentQuoteRow[])
  const last = inCatalogueOrder(points!.results as CurrentQuoteRow[])
  const ahead = current.filter(({ updatedAt }) => updatedAt > now).map(({ pair }) => pair)
  const quoted = new Set(current.map(({ pair }) => pair))

  return {
    quotes: current.flatMap((quote) =>
      ahead.includes(quote.pair)
        ? last.filter(({ pair }) => pair === quote.pair).map(seenWhenNew)
        : [quote.lastScrapedAt > now ? seenWhenNew(quote) : quote],
    ),
    begun: last.filter(({ pair }) => !quoted.has(pair)),
    ahead,
  }
}

/** That it was confirmed later is a word of the wrong clock. */
function seenWhenNew(quote: CurrentQuote): CurrentQuote {
  return { ...quote, lastScrapedAt: quote.updatedAt }
}

/** The last point by now of each pair without a row, or with one of the future, as such a row. */
const LAST_POINTS = `
  SELECT p.pair, p.buy, p.sell, p.source, p.at AS updatedAt,
    max(p.at, coalesce((SELECT max(min(to_at, ?2)) FROM import_coverage
      WHERE pair = p.pair AND from_at <= ?2), p.at)) AS lastScrapedAt,
    (SELECT sell FROM points WHERE pair = p.pair AND at < p.at - (p.at - 10800000) % 86400000
      ORDER BY at DESC LIMIT 1) AS referenceSell
  FROM json_each(?1) AS asked CROSS JOIN points AS p ON p.pair = asked.value
    AND p.at = (SELECT max(at) FROM points WHERE pair = asked.value AND at <= ?2)
  WHERE NOT EXISTS (SELECT 1 FROM current_quotes WHERE pair = asked.value AND updated_at <= ?2)`
