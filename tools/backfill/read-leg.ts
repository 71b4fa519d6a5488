import { argentineDay } from '../../shared/argentine-time.ts'
import type { Pair } from '../../shared/market/catalog.ts'
import { valueAt } from '../import/merge.ts'
import { touchesDay, union } from '../import/ranges.ts'
import { readOwned, readPoints } from '../import/stored.ts'
import type { Leg } from './read-series.ts'

/** The closes of a dollar, on the days that an import covers or that were recorded live. */
export async function readLeg(db: D1Database, pair: Pair): Promise<Leg> {
  const { coverage, liveFrom } = await readOwned(db, pair)
  const points = await readPoints(db, pair, Number.MAX_SAFE_INTEGER)
  const days = union(coverage.daily, coverage.timed)

  return (at) => {
    const isKnown = touchesDay(days, argentineDay(at)) || (liveFrom !== null && liveFrom <= at)
    return isKnown ? (valueAt(points, at) ?? null) : null
  }
}
