/** What the nightly files show. */
import { addDays, argentineDay, type Day } from '../../../shared/argentine-time.ts'
import type { Mode } from '../../../shared/board/board.ts'
import type { Close } from '../../../shared/board/charts.ts'
import { parseSummary } from '../../../shared/db/quotes/cycle-record.ts'
import { type Pair, pairById } from '../../../shared/market/catalog.ts'

export interface ArchiveState {
  /** The last closed day: a cycle after its end is recorded, so no other one writes into it. */
  day: Day
  revision: number
  mode: Mode
}

/** Null before the first cycle. */
export async function readArchiveState(db: D1Database): Promise<ArchiveState | null> {
  const state = await db
    .prepare(
      `select cycle, mode, coalesce((select revision from history_revision), 0) as revision
       from scraper_state, service_mode`,
    )
    .first<{ cycle: string; mode: Mode; revision: number }>()
  const last = parseSummary(state?.cycle)
  if (!state || !last) return null
  return {
    day: addDays(argentineDay(last.at), -1),
    revision: state.revision,
    mode: state.mode,
  }
}

/** The closes of a pair's days with a change, ascending; never empty. */
export interface PairCloses {
  pair: Pair
  closes: Close[]
}

/**
 * The closes of the days up to `last`, by pair in catalogue order, in one round trip. Reads one row
 * for each day with a change.
 */
export async function readCloses(db: D1Database, last: Day): Promise<PairCloses[]> {
  const { results } = await db
    .prepare(
      // Sorted below, because an `order by` would read each row twice.
      `select pair, json_group_array(iif(high > max(open, close) or low < min(open, close),
         json_array(unixepoch(day) / 86400, close, buy, high, low),
         json_array(unixepoch(day) / 86400, close, buy))) as closes
       from daily_candles where day <= ?1 group by pair order by pair`,
    )
    .bind(last)
    .all<{ pair: number; closes: string }>()

  return results.flatMap(({ pair: id, closes }) => {
    const pair = pairById(id)
    const byDay = (JSON.parse(closes) as Close[]).toSorted(([a], [b]) => a - b)
    return pair ? [{ pair, closes: byDay }] : []
  })
}
