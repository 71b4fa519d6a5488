import type { Instant } from '../../argentine-time.ts'
import { reserveInserted } from './webhook-capacity.ts'
import { OUTSTANDING } from './webhook-capacity.ts'
import { insertRepeat } from './insert-repeat.ts'

/** A sync is owed, and was not made for this revision yet (decision 42). */
const OWED = `needs_sync = 1 and synced_revision <> revision and state = 'active'`

/**
 * Makes the sync that an active webhook owes, exactly one per revision whoever asks and however
 * often. Without room for it the webhook waits in `capacity`, part of the same mutation; without a
 * quote the sync stays owed. The first statement returns the new delivery's id.
 */
export function makeOwedSync(
  db: D1Database,
  { webhookId, now, capacity }: { webhookId: string; now: Instant; capacity: number },
): D1PreparedStatement[] {
  return [
    db.prepare(insertRepeat('sync', `w.id = ?3 and ${OWED}`)).bind(now, capacity, webhookId),
    reserveInserted(db),
    db
      .prepare(
        `update webhooks set synced_revision = revision where changes() = 1 and id = ?1 and ${OWED}`,
      )
      .bind(webhookId),
    db
      .prepare(
        `update webhooks set state = 'capacity' where id = ?1 and ${OWED} and ${OUTSTANDING} >= ?2
           and exists (select 1 from current_quotes q where q.pair = webhooks.pair)`,
      )
      .bind(webhookId, capacity),
  ]
}
