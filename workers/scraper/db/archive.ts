/** The content of the nightly files: every close of every closed day with a change. */
import type { Day } from '../../../shared/argentine-time.ts'
import type { DayClose } from '../../../shared/board/archive.ts'
import { type Pair, pairById } from '../../../shared/market/catalog.ts'

/** The closes of a pair's days with a change, ascending; never empty. */
export interface PairCloses {
  pair: Pair
  closes: DayClose[]
}

/**
 * The closes of the days up to `last`, by pair in catalogue order, in one round trip. Reads one row
 * for each day with a change.
 */
export async function readCloses(db: D1Database, last: Day): Promise<PairCloses[]> {
  const { results } = await db
    .prepare(
      // Sorted below, because an `order by` would read each row twice.
      `select pair, json_group_array(json_array(unixepoch(day) / 86400, close, buy)) as closes
       from daily_candles where day <= ?1 group by pair order by pair`,
    )
    .bind(last)
    .all<{ pair: number; closes: string }>()

  return results.flatMap(({ pair: id, closes }) => {
    const pair = pairById(id)
    const byDay = (JSON.parse(closes) as DayClose[]).toSorted(([a], [b]) => a - b)
    return pair ? [{ pair, closes: byDay }] : []
  })
}
