/**
 * When each pair was last confirmed. A cycle confirms most pairs and changes few, so the instants of
 * all pairs stand in one row, and a row of `current_quotes` is written when its value is.
 */

/** The last confirmation of the row `q` of `current_quotes`: its first sight when there is no other. */
export const LAST_SCRAPED = `coalesce(
  (select confirmed_at from scraper_state where json_valid(confirmed_at))
    ->> cast(q.pair as text), q.updated_at)`
