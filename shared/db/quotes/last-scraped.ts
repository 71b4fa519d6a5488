/**
 * When each pair was last confirmed. A cycle confirms most pairs and changes few, so the instants of
 * all pairs stand in one row, and a row of `current_quotes` is written when its value is.
 */
import type { CurrentQuote } from './quotes.ts'

/**
 * The last confirmation of the row `q` of `current_quotes`: the later of the two instants, for an
 * older version of the service writes only the row's own.
 */
export const LAST_SCRAPED = `max(q.last_scraped_at, coalesce(
  (select confirmed_at from scraper_state where json_valid(confirmed_at))
    ->> cast(q.pair as text), 0))`

/** The value of `scraper_state.confirmed_at` for these pairs alone. */
export function confirmedAt(quotes: readonly CurrentQuote[]): string {
  return JSON.stringify(
    Object.fromEntries(quotes.map(({ pair, lastScrapedAt }) => [pair.id, lastScrapedAt])),
  )
}
