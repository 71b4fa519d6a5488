import type { Day, Instant } from '../../argentine-time.ts'
import type { Pair } from '../../market/catalog.ts'
import type { Price, QuotedPoint } from '../../market/price.ts'

/** A day of a pair: `sell` from its start to its end, and the last `buy`. */
export interface Candle {
  day: Day
  open: Price
  high: Price
  low: Price
  close: Price
  buy: Price
}

/** The result of one query, and the number of rows that D1 read. */
export interface QuotesAsOf {
  /** In the order of the pairs; null for a pair without a value at or before the instant. */
  quotes: (QuotedPoint | null)[]
  rowsRead: number
}

/**
 * The last point of each pair at or before the instant. `json_object` lets the seek that finds a
 * row also read it, so each pair costs one row read. With pairs from `json_each`, SQLite would also
 * read and sort them. So the SQL depends on the number of pairs.
 */
function asOf(pairs: number): string {
  const points = Array.from(
    { length: pairs },
    (_, index) => `(select json_object('at', at, 'buy', buy, 'sell', sell) from points
      where pair = ?1 ->> ${index} and at <= ?2 order by at desc limit 1)`,
  )
  return `select json_array(${points.join(', ')}) as points`
}

/** The value of each pair in effect at `instant`, never a later value, in one round trip. */
export async function quotesAsOf(
  db: D1Database,
  pairs: readonly Pair[],
  instant: Instant,
): Promise<QuotesAsOf> {
  const ids = JSON.stringify(pairs.map((pair) => pair.id))
  const { results, meta } = await db
    .prepare(asOf(pairs.length))
    .bind(ids, instant)
    .all<{ points: string }>()

  const quotes = JSON.parse(results[0]!.points) as (QuotedPoint | null)[]
  return { quotes, rowsRead: meta.rows_read }
}
