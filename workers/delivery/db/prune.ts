import type { Instant } from '../../../shared/argentine-time.ts'
import { OPEN, RETENTION_MS } from '../../../shared/db/deliveries/open.ts'

/** Rows deleted in one statement. D1 recommends to split large deletions. */
export const PRUNE_CHUNK = 500

/** The statement that finds the oldest row: ids grow with time. */
export function findOldest(db: D1Database): D1PreparedStatement {
  return db.prepare(`select created_at from deliveries order by id limit 1`)
}

/**
 * Deletes the oldest rows past their seven days, at most a chunk, whatever their status, and releases
 * the capacity of open ones. Returns how many.
 */
export async function pruneChunk(db: D1Database, now: Instant): Promise<number> {
  const expired = `select id from (select id, created_at from deliveries order by id
    limit ${PRUNE_CHUNK}) where created_at <= ?1 - ${RETENTION_MS}`

  const [, deleted] = await db.batch([
    db
      .prepare(
        `update open_deliveries set outstanding = max(0, outstanding - (
           select count(*) from deliveries where id in (${expired}) and ${OPEN})) where id = 1`,
      )
      .bind(now),
    db.prepare(`delete from deliveries where id in (${expired})`).bind(now),
    db.prepare(`delete from delivery_tallies where at <= ?1 - ${RETENTION_MS}`).bind(now),
  ])
  return deleted!.meta.changes
}

/** The statement that finds a firing past its days. */
export function findOldFirings(db: D1Database, now: Instant): D1PreparedStatement {
  return db
    .prepare(`select at from alert_firings where at <= ?1 order by at limit 1`)
    .bind(now - RETENTION_MS)
}

/** Deletes the oldest firings past their days, at most a chunk. */
export async function pruneFirings(db: D1Database, now: Instant): Promise<void> {
  await db
    .prepare(
      `delete from alert_firings where (at, alert_id) in (
         select at, alert_id from alert_firings where at <= ?1 order by at limit ${PRUNE_CHUNK})`,
    )
    .bind(now - RETENTION_MS)
    .run()
}
