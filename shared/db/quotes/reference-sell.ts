import type { Pair } from '../../market/catalog.ts'

/**
 * A statement that sets the current quote's reference anew: the last sell before the Argentine
 * midnight of the day of `updated_at`. For the batch that changes points of the past; without
 * effect for a pair that has no current quote.
 */
export function referenceStatement(db: D1Database, pair: Pick<Pair, 'id'>): D1PreparedStatement {
  return db
    .prepare(
      `UPDATE current_quotes SET reference_sell = (
         SELECT sell FROM points
         WHERE pair = ?1 AND at < updated_at - (updated_at - 10800000) % 86400000
         ORDER BY at DESC LIMIT 1)
       WHERE pair = ?1`,
    )
    .bind(pair.id)
}
