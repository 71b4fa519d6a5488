/** The chart documents in KV. A failure does not stop the cycle: a later one draws them. */
import type { Instant } from '../../../shared/argentine-time.ts'
import {
  CHART_SCHEMA,
  type ChartValue,
  closesKey,
  MONTH_KEY,
  type MonthClose,
  parseMonth,
  parseRecent,
  RECENT_KEY,
  withValues,
} from '../../../shared/board/charts.ts'
import { pairKey } from '../../../shared/market/catalog.ts'
import { type DueChart, recentValues } from '../../../shared/db/quotes/charts.ts'
import { logFailure } from '../../../shared/log.ts'
import { KV_CACHE_TTL } from '../../../shared/kv-cache.ts'

/**
 * Writes the due documents of closes, then the common document of all pairs. Resolves with those
 * that were written.
 */
export async function drawCloses(kv: KVNamespace, due: readonly DueChart[]): Promise<DueChart[]> {
  const drawn = await Promise.all(
    due.map(async (chart) => {
      const document = `{"schema":${CHART_SCHEMA},"closes":${chart.closes}}`
      return (await attempted(() => kv.put(closesKey(chart.pair), document))) ? [chart] : []
    }),
  )
  const written = drawn.flat()
  return written.length === 0 || (await drawMonth(kv, written)) ? written : []
}

/**
 * Writes the last closes of the pairs into the common document. After a failure a later cycle draws
 * them.
 */
async function drawMonth(kv: KVNamespace, drawn: readonly DueChart[]): Promise<boolean> {
  return attempted(async () => {
    const before = parseMonth(await kv.get(MONTH_KEY, { cacheTtl: KV_CACHE_TTL }))
    const closes = { ...before?.closes }
    for (const { pair, month } of drawn) closes[pairKey(pair)] = JSON.parse(month) as MonthClose[]
    await kv.put(MONTH_KEY, JSON.stringify({ schema: CHART_SCHEMA, closes }))
  })
}

/** Adds the values in effect to the last day's points, in cycles with a change. */
export async function drawRecent(
  kv: KVNamespace,
  values: readonly ChartValue[],
  now: Instant,
): Promise<void> {
  await attempted(async () => {
    const before = parseRecent(await kv.get(RECENT_KEY, { cacheTtl: KV_CACHE_TTL }))
    await kv.put(RECENT_KEY, JSON.stringify(withValues(before, values, now)))
  })
}

/**
 * Draws the last day again from the points, after a change of the past. Resolves with the revision
 * of the past that the document shows, if it was written.
 */
export async function redrawRecent(
  db: D1Database,
  kv: KVNamespace,
  now: Instant,
): Promise<number | undefined> {
  let drawn: number | undefined
  await attempted(async () => {
    const { values, revision } = await recentValues(db, now)
    await kv.put(RECENT_KEY, JSON.stringify(withValues(null, values, now)))
    drawn = revision
  })
  return drawn
}

async function attempted(write: () => Promise<void>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    logFailure('chart_failed', error)
    return false
  }
}
