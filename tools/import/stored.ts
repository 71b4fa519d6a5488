import type { Pair } from '../../shared/catalog.ts'
import { isImportSource, type Kind } from './formats.ts'
import type { Stored, StoredPoint } from './merge.ts'
import type { Range } from './ranges.ts'

/** Points read at once. */
const PAGE = 10_000

/** What of a pair's past has an owner, without its points. */
export type Owned = Pick<Stored, 'coverage' | 'liveFrom'>

/**
 * What the database has of a pair up to its first live point: imports are about the time before.
 * A corrected point counts as imported here, wherever it came from.
 */
export async function readStored(db: D1Database, pair: Pair): Promise<Stored> {
  const owned = await readOwned(db, pair)
  return {
    ...owned,
    points: await readPoints(db, pair, owned.liveFrom ?? Number.MAX_SAFE_INTEGER),
  }
}

export async function readOwned(db: D1Database, pair: Pair): Promise<Owned> {
  const live = await db
    .prepare(
      `SELECT min(at) AS at FROM points
       WHERE pair = ? AND source NOT LIKE 'import:%' AND source <> 'correction'`,
    )
    .bind(pair.id)
    .first<{ at: number | null }>()
  const { results } = await db
    .prepare('SELECT kind, from_at, to_at FROM import_coverage WHERE pair = ? ORDER BY from_at')
    .bind(pair.id)
    .all<{ kind: Kind; from_at: number; to_at: number }>()

  const ranges = (wanted: Kind) =>
    results.filter(({ kind }) => kind === wanted).map((row): Range => [row.from_at, row.to_at])
  return {
    coverage: { daily: ranges('daily'), timed: ranges('timed') },
    liveFrom: live?.at ?? null,
  }
}

export async function readPoints(db: D1Database, pair: Pair, last: number): Promise<StoredPoint[]> {
  const points: StoredPoint[] = []

  for (;;) {
    const { results } = await db
      .prepare(
        `SELECT at, buy, sell, source FROM points
         WHERE pair = ? AND at > ? AND at <= ? ORDER BY at LIMIT ${PAGE}`,
      )
      .bind(pair.id, points.at(-1)?.at ?? Number.MIN_SAFE_INTEGER, last)
      .all<StoredPoint>()
    points.push(...results)
    if (results.length < PAGE) return points
  }
}

/** How many points a merge adds and takes away. */
export function countChanges(stored: Stored, points: readonly StoredPoint[]) {
  const before = new Set(stored.points.map(({ at }) => at))
  const after = new Set(points.map(({ at }) => at))
  return {
    made: points.filter(({ at }) => !before.has(at)).length,
    removed: stored.points.filter(({ at, source }) => isImportSource(source) && !after.has(at))
      .length,
  }
}
