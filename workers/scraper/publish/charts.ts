/** The chart of the last day in KV. The others are made with the nightly files. */
import type { Instant } from '../../../shared/argentine-time.ts'
import { CHART_SCHEMA, RECENT_KEY } from '../../../shared/board/charts.ts'
import { logFailure } from '../../../shared/log.ts'
import { recentPoints } from '../db/archive.ts'

/** Draws it from the points. A failure does not stop the cycle: the next change of a value or of the past draws it. */
export async function drawRecent(db: D1Database, kv: KVNamespace, now: Instant): Promise<void> {
  try {
    const points = await recentPoints(db, now)
    await kv.put(RECENT_KEY, JSON.stringify({ schema: CHART_SCHEMA, points }))
  } catch (error) {
    logFailure('chart_failed', error)
  }
}
