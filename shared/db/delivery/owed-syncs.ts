import type { Instant } from '../../argentine-time.ts'
import { reserveInserted } from '../webhook/capacity.ts'
import { insertRepeat } from '../webhook/repeat.ts'
import { OUTSTANDING } from '../webhook/capacity.ts'
import { OPEN } from './open.ts'

/** Active webhooks whose owed sync was not made yet, of a pair that was quoted. */
const OWED = `webhooks.needs_sync = 1 and webhooks.synced_revision <> webhooks.revision
  and webhooks.state = 'active'
  and exists (select 1 from current_quotes q where q.pair = webhooks.pair)`

/** The statement that tells whether syncs are owed. */
export function findOwedSync(db: D1Database): D1PreparedStatement {
  return db.prepare(`select id from webhooks where ${OWED} limit 1`)
}

/**
 * Makes at most `limit` owed syncs, as many as there is room for, and reserves their places, in
 * one batch: of any number of parallel sweeps one makes each. Returns the ids of the new rows.
 */
export async function makeOwedSyncs(
  db: D1Database,
  { now, capacity, limit }: { now: Instant; capacity: number; limit: number },
): Promise<number[]> {
  const chosen = `select id from webhooks where ${OWED} limit min(?3, max(0, ?2 - ${OUTSTANDING}))`

  const [inserted] = (await db.batch([
    db.prepare(insertRepeat('sync', `w.id in (${chosen})`)).bind(now, capacity, limit),
    reserveInserted(db),
    db
      .prepare(
        `update webhooks set synced_revision = revision
         where changes() > 0 and ${OWED} and exists (select 1 from deliveries d
           where d.webhook_id = webhooks.id and d.type = 'sync' and d.${OPEN}
             and d.revision = webhooks.revision and d.created_at = ?1)`,
      )
      .bind(now),
  ])) as [D1Result<{ id: number }>, D1Result, D1Result]

  return inserted.results.map(({ id }) => id)
}
