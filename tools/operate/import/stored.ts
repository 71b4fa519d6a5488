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
  const owned = await readOwned(db, pair)
  return { ...owned, points: await readPoints(db, pair, owned.liveFrom ?? Infinity) }
}

export async function readOwned(db: D1Database, pair: Pair): Promise<Owned> {
  const [live, coverage] = await db.batch([
    db.prepare(LIVE).bind(pair.id),
    db
      .prepare('select kind, from_at, to_at from import_coverage where pair = ? order by from_at')
      .bind(pair.id),
  ])
  const rows = coverage!.results as { kind: Kind; from_at: number; to_at: number }[]
  const ranges = (wanted: Kind) =>
    rows.filter(({ kind }) => kind === wanted).map((row): Range => [row.from_at, row.to_at])
  const [first] = live!.results as { at: number | null }[]
  return {
    coverage: { daily: ranges('daily'), timed: ranges('timed') },
    liveFrom: first?.at ?? null,
  }
}

/** The points of a pair up to an instant. */
export async function readPoints(
  db: D1Database,
  pair: Pair,
  last: Instant,
): Promise<StoredPoint[]> {
  const points: StoredPoint[] = []

  for (;;) {
    const { results } = await db
      .prepare(
        `select at, buy, sell, source from points where pair = ? and at > ? and at <= ?
         order by at limit ${PAGE}`,
      )
      .bind(
        pair.id,
        points.at(-1)?.at ?? Number.MIN_SAFE_INTEGER,
        Math.min(last, Number.MAX_SAFE_INTEGER),
      )
      .all<StoredPoint>()
    points.push(...results)
    if (results.length < PAGE) return points
  }
}

/**
 * The first live point. Where the first cycle only confirmed an imported value, it made no point: then
 * the imported one, which is in effect.
 */
const LIVE = `select min(at) as at from (
  select at from points
  where pair = ?1 and source not like 'import:%' and source <> 'correction'
  union all select updated_at from current_quotes where pair = ?1)`
