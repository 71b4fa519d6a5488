import type { Instant } from '../../../shared/argentine-time.ts'
import { namedBatch, type ResultsOf, type Statement } from '../../../shared/db/named-batch.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { Kind } from './formats.ts'
import type { Stored, StoredPoint } from './merge.ts'
import type { Range } from './ranges.ts'

const PAGE = 10_000

/** Which times of a pair's past have an owner, without its points. */
export type Owned = Pick<Stored, 'coverage' | 'liveFrom'>

/**
 * What the database has of a pair up to its first live point: imports are about the time before.
 * A corrected point counts as imported here, wherever it came from.
 */
export async function readStored(db: D1Database, pair: Pair): Promise<Stored> {
  const found = await namedBatch(db, {
    ...ownedStatements(db, pair),
    first: pageStatement(db, pair, Number.MIN_SAFE_INTEGER, null),
  })
  const owned = ownedIn(found)
  const points = found.first.results
  if (points.length === PAGE)
    points.push(...(await readPoints(db, pair, owned.liveFrom, points.at(-1)!.at)))
  return { ...owned, points }
}

export async function readOwned(db: D1Database, pair: Pair): Promise<Owned> {
  return ownedIn(await namedBatch(db, ownedStatements(db, pair)))
}

/** The points after an instant, up to another (null: the first live point, or all). */
export async function readPoints(
  db: D1Database,
  pair: Pair,
  last: Instant | null,
  after = Number.MIN_SAFE_INTEGER,
): Promise<StoredPoint[]> {
  const { results } = await pageStatement(db, pair, after, last).all<StoredPoint>()
  if (results.length < PAGE) return results
  return [...results, ...(await readPoints(db, pair, last, results.at(-1)!.at))]
}

/**
 * The first live point. Where the first cycle only confirmed an imported value, it made no point: then
 * the imported one, which is in effect. And the times that imports cover.
 */
function ownedStatements(db: D1Database, pair: Pair) {
  const live: Statement<{ at: Instant | null }> = db
    .prepare(
      `select min(at) as at from (
         select at from points
         where pair = ?1 and source not like 'import:%' and source <> 'correction'
         union all select updated_at from current_quotes where pair = ?1)`,
    )
    .bind(pair.id)
  const coverage: Statement<{ kind: Kind; fromAt: Instant; toAt: Instant }> = db
    .prepare(
      `select kind, from_at as fromAt, to_at as toAt from import_coverage
       where pair = ?1 order by from_at`,
    )
    .bind(pair.id)
  return { live, coverage }
}

function ownedIn({ live, coverage }: ResultsOf<typeof ownedStatements>): Owned {
  const ranges = (wanted: Kind) =>
    coverage.results
      .filter(({ kind }) => kind === wanted)
      .map(({ fromAt, toAt }): Range => [fromAt, toAt])
  return {
    coverage: { daily: ranges('daily'), timed: ranges('timed') },
    liveFrom: live.results[0]?.at ?? null,
  }
}

function pageStatement(
  db: D1Database,
  pair: Pair,
  after: Instant,
  last: Instant | null,
): Statement<StoredPoint> {
  return db
    .prepare(
      `select at, buy, sell, source from points
       where pair = ?1 and at > ?2 and at <= coalesce(?3, (
         select min(at) from (
           select at from points
           where pair = ?1 and source not like 'import:%' and source <> 'correction'
           union all select updated_at from current_quotes where pair = ?1)), ?4)
       order by at limit ?5`,
    )
    .bind(pair.id, after, last, Number.MAX_SAFE_INTEGER, PAGE)
}
