import type { Instant } from '../../argentine-time.ts'
import { releaseCancelled } from './capacity.ts'
import { IS_ELIGIBLE } from './open.ts'

/**
 * Ends waiting rows that their webhook's revision or state no longer allows. Edits and pauses do
 * this in their own batch; a row that slipped by would block its webhook's order for ever.
 */
export function cancelIneligible(
  db: D1Database,
  ids: readonly number[],
  now: Instant,
): D1PreparedStatement[] {
  return [
    db
      .prepare(
        `update deliveries set status = 'cancelled', resolved_at = ?2
         where id in (select value from json_each(?1)) and status in ('pending', 'failed')
           and not ${IS_ELIGIBLE}`,
      )
      .bind(JSON.stringify(ids), now),
    releaseCancelled(db),
  ]
}
