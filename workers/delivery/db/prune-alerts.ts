import type { Instant } from '../../../shared/argentine-time.ts'
import { RETENTION_MS } from '../../../shared/db/deliveries/open.ts'

/** How long a firing is kept, as long as its delivery. */
export const FIRINGS_KEPT_MS = RETENTION_MS

/** Rows deleted in one statement. */
const CHUNK = 500

/** The statement that finds a firing past its days. */
export function findOldFirings(db: D1Database, now: Instant): D1PreparedStatement {
  return db
    .prepare(`select at from alert_firings where at <= ?1 order by at limit 1`)
    .bind(now - FIRINGS_KEPT_MS)
}

/** Deletes the oldest firings past their days, at most a chunk. */
export async function pruneFirings(db: D1Database, now: Instant): Promise<void> {
  await db
    .prepare(
      `delete from alert_firings where (at, alert_id) in (
         select at, alert_id from alert_firings where at <= ?1 order by at limit ${CHUNK})`,
    )
    .bind(now - FIRINGS_KEPT_MS)
    .run()
}
