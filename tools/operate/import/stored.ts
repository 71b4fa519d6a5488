import type { Instant } from '../../../shared/argentine-time.ts'
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
  const [live, coverage, first] = await db.batch([
    ...ownedStatements(db, pair),
    pageStatement(db, pair, Number.MIN_SAFE_INTEGER, null),
  ])
  const owned = ownedIn(live!, coverage!)
  const points = first!.results as StoredPoint[]
  if (points.length === PAGE)
    points.push(...(await readPoints(db, pair, owned.liveFrom, points.at(-1)!.at)))
  return { ...owned, points }
}

export async function readOwned(db: D1Database, pair: Pair): Promise<Owned> {
  const [live, coverage] = await db.batch(ownedStatements(db, pair))
  return ownedIn(live!, coverage!)
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
 * the imported one, which is in effect.
 */
const LIVE = `select min(at) as at from (
  select at from points
  where pair = ?1 and source not like 'import:%' and source <> 'correction'
  union all select updated_at from current_quotes where pair = ?1)`

function ownedStatements(db: D1Database, pair: Pair): D1PreparedStatement[] {
  return [
    db.prepare(LIVE).bind(pair.id),
    db
      .prepare('select kind, from_at, to_at from import_coverage where pair = ? order by from_at')
      .bind(pair.id),
  ]
}

function ownedIn(live: D1Result, coverage: D1Result): Owned {
  const rows = coverage.results as { kind: Kind; from_at: number; to_at: number }[]
  const ranges = (wanted: Kind) =>
    rows.filter(({ kind }) => kind === wanted).map((row): Range => [row.from_at, row.to_at])
  const [first] = live.results as { at: number | null }[]
  return {
    coverage: { daily: ranges('daily'), timed: ranges('timed') },
    liveFrom: first?.at ?? null,
  }
}

function pageStatement(db: D1Database, pair: Pair, after: Instant, last: Instant | null) {
  return db
    .prepare(
      `select at, buy, sell, source from points
       where pair = ?1 and at > ?2 and at <= coalesce(?3, (${LIVE}), ?4)
       order by at limit ${PAGE}`,
    )
    .bind(pair.id, after, last, Number.MAX_SAFE_INTEGER)
}
