import type { Instant } from '../../argentine-time.ts'
import { RETENTION_MS } from './open.ts'
import { tallyDead } from './tallies.ts'

/** Ends waiting rows that are too old to be sent, as `dead` with `expired`, until they are pruned. */
export function endTooOld(
  db: D1Database,
  ids: readonly number[],
  now: Instant,
): D1PreparedStatement[] {
  return [
    db
      .prepare(
        `update deliveries set status = 'dead', error_type = 'expired', resolved_at = ?2
         where id in (select value from json_each(?1)) and status in ('pending', 'failed')
           and created_at <= ?2 - ${RETENTION_MS}`,
      )
      .bind(JSON.stringify(ids), now),
    tallyDead(db, now),
  ]
}
