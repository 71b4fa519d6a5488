import type { Instant } from '../../../shared/argentine-time.ts'
import { namedBatch, type Statement } from '../../../shared/db/named-batch.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { Kind } from './formats.ts'
import type { Stored, StoredPoint } from './merge.ts'
import type { Range } from './ranges.ts'

/** How many points one read returns. */
const PAGE = 10_000

/** The times of a pair's past that have an owner. */
export type Owned = Pick<Stored, 'coverage' | 'liveFrom'>

/**
 * The pair's stored points and coverage up to its first live point, because imports change only the
 * time before. A corrected point counts as imported.
 */
export async function readStored(db: D1Database, pair: Pair): Promise<Stored> {
  const owned = await readOwned(db, pair)
  return { ...owned, points: await readPoints(db, pair, owned.liveFrom) }
}

/**
 * The first live point and the times that imports cover. If the first cycle only confirmed an
 * imported value, it made no point; then the imported point in effect counts as the first live one.
 */
export async function readOwned(db: D1Database, pair: Pair): Promise<Owned> {
  const live: Statement<{ at: Instant | null }> = db
    .prepare(
      `select min(at) as at from (
         select at from points
         where pair = ?1 and source not like 'import:%' and source <> 'correction'
         union all select updated_at from current_quotes where pair = ?1)`,
    )
    .bind(pair.id)
  const covered: Statement<{ kind: Kind; fromAt: Instant; toAt: Instant }> = db
    .prepare(
      `select kind, from_at as fromAt, to_at as toAt from import_coverage
       where pair = ?1 order by from_at`,
    )
    .bind(pair.id)
  const found = await namedBatch(db, { live, covered })
  const ranges = (wanted: Kind) =>
    found.covered.results
      .filter(({ kind }) => kind === wanted)
      .map(({ fromAt, toAt }): Range => [fromAt, toAt])
  return {
    coverage: { daily: ranges('daily'), timed: ranges('timed') },
    liveFrom: found.live.results[0]?.at ?? null,
  }
}

/** The points up to an instant; all of them for null. */
export async function readPoints(
  db: D1Database,
  pair: Pair,
  last: Instant | null,
): Promise<StoredPoint[]> {
  const points: StoredPoint[] = []
  for (let size = PAGE; size === PAGE;) {
    const { results } = await db
      .prepare(
        `select at, buy, sell, source from points
         where pair = ?1 and at > ?2 and at <= ?3 order by at limit ?4`,
      )
      .bind(
        pair.id,
        points.at(-1)?.at ?? Number.MIN_SAFE_INTEGER,
        last ?? Number.MAX_SAFE_INTEGER,
        PAGE,
      )
      .all<StoredPoint>()
    points.push(...results)
    size = results.length
  }
  return points
}
