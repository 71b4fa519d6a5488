/**
 * When each pair was last confirmed. A cycle confirms most pairs and changes few. So one row holds
 * the instants of all pairs, and a row of `current_quotes` is written only when its value changes.
 */

/**
 * The last confirmation of the row `q` of `current_quotes`; without one, the instant of its value.
 */
export const LAST_SCRAPED = `coalesce(
  (select confirmed_at from scraper_state where json_valid(confirmed_at))
    ->> cast(q.pair as text), q.updated_at)`
