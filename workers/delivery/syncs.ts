import type { Instant } from '../../shared/argentine-time.ts'
import { makeOwedSyncs } from '../../shared/db/delivery/owed-syncs.ts'
import { recoverWebhooks } from '../../shared/db/delivery/recovery.ts'
import { announce, type DeliveryQueue } from './announce.ts'
import { log } from './log.ts'

export interface SyncDeps {
  db: D1Database
  queue: DeliveryQueue
  now: () => Instant
  /** Most deliveries accepted and not ended. */
  capacity: number
}

/** Makes syncs that are owed, at most `limit`, and announces them. */
export async function makeSyncs(
  { db, queue, now, capacity }: SyncDeps,
  limit: number,
): Promise<void> {
  const at = now()
  const ids = await makeOwedSyncs(db, { now: at, capacity, limit })

  log('syncs_made', { syncs: ids.length })
  await announce(
    queue,
    ids.map((id) => ({ id, at })),
    at,
  )
}

/** Webhooks in `capacity` become active and are owed a sync, which is made by the same sweep. */
export async function recover(
  { db, capacity }: Pick<SyncDeps, 'db' | 'capacity'>,
  ids: readonly string[],
): Promise<void> {
  log('capacity_recovered', { webhooks: await recoverWebhooks(db, ids, capacity) })
}
