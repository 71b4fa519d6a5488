/** Reads the data of the nightly files and of the chart of the last day. */
import {
  addDays,
  argentineDay,
  type Day,
  DAY_MS,
  type Instant,
  MINUTE_MS,
} from '../../../shared/argentine-time.ts'
import type { Mode } from '../../../shared/board/board.ts'
import type { Close, RecentDocument } from '../../../shared/board/charts.ts'
import { parseSummary } from '../../../shared/db/quotes/quotes.ts'
import { type Pair, pairById, pairKey, PAIRS } from '../../../shared/market/catalog.ts'

export interface FilesState {
  /** The last closed day. A cycle after its end is recorded, so no more values can come. */
  day: Day
  revision: number
  mode: Mode
}

/** Reads the state; null before the first cycle. */
export async function readFilesState(db: D1Database): Promise<FilesState | null> {
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
      // The code below sorts, because an `order by` would read each row twice.
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

/** The window of the recent points. */
const RECENT_MS = DAY_MS
/** At most one point per pair in each slot of this length, however often cycles run. */
const SLOT_MS = 5 * MINUTE_MS

/** The last point of each slot of the last day, and the point in effect when that day began. */
export async function recentPoints(
  db: D1Database,
  now: Instant,
): Promise<RecentDocument['points']> {
  const { results } = await db
    .prepare(
      `select pair, json_group_array(json_array(at / 60000, sell) order by at) as points from (
         select p.pair, max(p.at) as at, p.sell from json_each(?1) as requested join points as p
           on p.pair = requested.value and p.at >= coalesce(
             (select max(at) from points where pair = requested.value and at <= ?2), ?2)
         group by p.pair, p.at / ${SLOT_MS})
       group by pair`,
    )
    .bind(JSON.stringify(PAIRS.map(({ id }) => id)), now - RECENT_MS)
    .all<{ pair: number; points: string }>()
  return Object.fromEntries(
    results.map(({ pair, points }) => [pairKey(pairById(pair)!), JSON.parse(points)]),
  )
}
