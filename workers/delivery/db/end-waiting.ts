/** Ends of rows that wait and are never to be sent. */
import type { Instant } from '../../../shared/argentine-time.ts'
import { releaseCancelled } from '../../../shared/db/deliveries/outstanding.ts'
import { IS_ELIGIBLE, RETENTION_MS } from '../../../shared/db/deliveries/open.ts'
import { tallyDead } from '../../../shared/db/deliveries/tallies.ts'

/**
 * Cancels rows that their webhook's revision or state no longer allows. Edits and pauses do this in
 * their own batch. A row that slipped by would block its webhook's order for ever.
 */
export function cancelIneligible(
  db: D1Database,
  ids: readonly number[],
  now: Instant,
): D1PreparedStatement[] {
  const cancelled = endWaiting(db, ids, now, `status = 'cancelled'`, `not ${IS_ELIGIBLE}`)
  return [cancelled, releaseCancelled(db)]
}

/** Ends rows that are too old to be sent, as `dead` with `expired`, until they are pruned. */
export function endTooOld(
  db: D1Database,
  ids: readonly number[],
  now: Instant,
): D1PreparedStatement[] {
  const expired = `status = 'dead', error_type = 'expired'`
  const isTooOld = `created_at <= ?2 - ${RETENTION_MS}`
  return [endWaiting(db, ids, now, expired, isTooOld), tallyDead(db, now)]
}

/** Ends those of the rows that still wait and of which a condition is true. */
function endWaiting(
  db: D1Database,
  ids: readonly number[],
  now: Instant,
  end: string,
  condition: string,
): D1PreparedStatement {
  return db
    .prepare(
      `update deliveries set ${end}, resolved_at = ?2
       where id in (select value from json_each(?1)) and status in ('pending', 'failed')
         and ${condition}`,
    )
    .bind(JSON.stringify(ids), now)
}
