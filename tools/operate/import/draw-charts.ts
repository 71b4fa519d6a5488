import { addDays, argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import { RECENT_KEY, withValues } from '../../../shared/board/charts.ts'
import {
  DRAWN_AT_ONCE,
  dueCharts,
  dueChartsStatement,
  drawnStatement,
  recentValues,
} from '../../../shared/db/quotes/charts.ts'
import { drawCloses } from '../../../workers/scraper/publish/charts.ts'

/**
 * Draws what an import changed, so that pages need not wait for a cycle: the closes of every due
 * pair, and the last day of all pairs. Returns how many documents could not be written: the next
 * cycle draws those of past days.
 */
export async function drawCharts(
  db: D1Database,
  kv: KVNamespace,
  now: Instant,
  onProgress: (share: number) => void = () => {},
): Promise<number> {
  const today = argentineDay(now)
  const due = dueCharts(await dueChartsStatement(db, today).all())
  let failed = 0

  for (let from = 0; from < due.length; from += DRAWN_AT_ONCE) {
    const some = due.slice(from, from + DRAWN_AT_ONCE)
    const drawn = await drawCloses(kv, some)
    if (drawn.length > 0) await drawnStatement(db, drawn, addDays(today, -1)).run()
    failed += some.length - drawn.length
    onProgress((from + some.length) / due.length)
  }
  return failed + ((await drawLastDay(db, kv, now)) ? 0 : 1)
}

async function drawLastDay(db: D1Database, kv: KVNamespace, now: Instant): Promise<boolean> {
  const document = withValues(null, (await recentValues(db, now)).values, now)
  return kv.put(RECENT_KEY, JSON.stringify(document)).then(
    () => true,
    () => false,
  )
}
