import type { Instant } from '../../../shared/argentine-time.ts'
import type { Mode } from '../../../shared/board/board.ts'
import { markStatement } from '../../../shared/db/quotes/service-mode.ts'
import { insertRows } from './rows.ts'

/** What a recorded cycle leaves for the nightly files: when it was, and the mode. */
export async function recordCycleAt(db: D1Database, at: Instant, mode: Mode): Promise<void> {
  const row = insertRows(
    'scraper_state',
    { cycle: '?' },
    'where true on conflict (id) do update set cycle = excluded.cycle',
  )
  const summary = { at, everySeconds: 300, anySourceAnswered: true }
  await db.batch([markStatement(db, mode), db.prepare(row).bind(JSON.stringify(summary))])
}
