import type { Pair } from '../../market/catalog.ts'
import { startOfDaySql } from '../start-of-day-sql.ts'

/**
 * Sets the reference of a current quote: the last sell before the Argentine midnight of the day of
 * `updated_at`. For batches that change past points; no effect on a pair without a current quote.
 */
export function referenceStatement(db: D1Database, pair: Pick<Pair, 'id'>): D1PreparedStatement {
  return db
    .prepare(
      `update current_quotes set reference_sell = (
         select sell from points
         where pair = ?1 and at < ${startOfDaySql('updated_at')}
         order by at desc limit 1)
       where pair = ?1`,
    )
    .bind(pair.id)
}
