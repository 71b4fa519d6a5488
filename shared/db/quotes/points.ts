import type { Instant } from '../../argentine-time.ts'
import type { Pair } from '../../market/catalog.ts'
import type { Price } from '../../market/price.ts'
import type { QuotedPoint } from '../../market/quoted-point.ts'

/** The answer of one query, and its cost by D1's count. */
export interface QuotesAsOf {
  /** In the order of the pairs asked; null for a pair without a value at or before the instant. */
  quotes: (QuotedPoint | null)[]
  rowsRead: number
}

/**
 * The last point of each pair at or before the instant. It is packed as one JSON value, so that the
 * seek that finds the row also reads it. The cost depends only on the number of pairs.
 */
const AS_OF = `
  select (
    select json_array(at, buy, sell) from points
    where pair = asked.value and at <= ?2
    order by at desc limit 1
  ) as point
  from json_each(?1) as asked
  order by asked.key`

/** The values in effect at `instant`, in one round trip: the last at or before it, never a later one. */
export async function quotesAsOf(
  db: D1Database,
  pairs: readonly Pair[],
  instant: Instant,
): Promise<QuotesAsOf> {
  const ids = JSON.stringify(pairs.map((pair) => pair.id))
  const { results, meta } = await db
    .prepare(AS_OF)
    .bind(ids, instant)
    .all<{ point: string | null }>()

  return { quotes: results.map(({ point }) => parsePoint(point)), rowsRead: meta.rows_read }
}

function parsePoint(packed: string | null): QuotedPoint | null {
  if (packed === null) return null

  const [at, buy, sell] = JSON.parse(packed) as [Instant, Price, Price]
  return { at, buy, sell }
}
