/** The chart of the last day in KV. The others are made with the nightly files. */
import type { Instant } from '../../../shared/argentine-time.ts'
import {
  CHART_SCHEMA,
  RECENT_KEY,
  RECENT_MS,
  type RecentDocument,
  SLOT_MS,
} from '../../../shared/board/charts.ts'
import { EVERY_PAIR } from '../../../shared/db/every-pair.ts'
import { logFailure } from '../../../shared/log.ts'
import { pairById, pairKey } from '../../../shared/market/catalog.ts'

/** Draws it from the points. A failure does not stop the cycle: the next change of a value or of the past draws it. */
export async function drawRecent(db: D1Database, kv: KVNamespace, now: Instant): Promise<void> {
  try {
    const points = await recentPoints(db, now)
    await kv.put(RECENT_KEY, JSON.stringify({ schema: CHART_SCHEMA, points }))
  } catch (error) {
    logFailure('chart_failed', error)
  }
}

/** The last point of each slot since a day ago, and the one in effect when it began. */
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
    .bind(EVERY_PAIR, now - RECENT_MS)
    .all<{ pair: number; points: string }>()
  return Object.fromEntries(
    results.map(({ pair, points }) => [pairKey(pairById(pair)!), JSON.parse(points)]),
  )
}
