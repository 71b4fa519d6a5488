import type { Pair } from '../../shared/market/catalog.ts'
import { isImportSource, type Kind } from './formats.ts'
import type { Stored, StoredPoint } from './merge.ts'
import type { Range } from './ranges.ts'

/** Points read at once. */
const PAGE = 10_000

/**
 * What the database has of a pair up to its first live point: imports are about the time before.
 * A corrected point counts as imported here, wherever it came from.
 */
export async function readStored(db: D1Database, pair: Pair): Promise<Stored> {
  const live = await db
    .prepare(
      `select min(at) as at from points
       where pair = ? and source not like 'import:%' and source <> 'correction'`,
    )
    .bind(pair.id)
    .first<{ at: number | null }>()
  const { results } = await db
    .prepare('select kind, from_at, to_at from import_coverage where pair = ? order by from_at')
    .bind(pair.id)
    .all<{ kind: Kind; from_at: number; to_at: number }>()

  const ranges = (wanted: Kind) =>
    results.filter(({ kind }) => kind === wanted).map((row): Range => [row.from_at, row.to_at])
  const liveFrom = live?.at ?? null
  return {
    points: await readPoints(db, pair, liveFrom ?? Number.MAX_SAFE_INTEGER),
    coverage: { daily: ranges('daily'), timed: ranges('timed') },
    liveFrom,
  }
}

async function readPoints(db: D1Database, pair: Pair, last: number): Promise<StoredPoint[]> {
  const points: StoredPoint[] = []

  for (;;) {
    const { results } = await db
      .prepare(
        `select at, buy, sell, source from points
         where pair = ? and at > ? and at <= ? order by at limit ${PAGE}`,
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
