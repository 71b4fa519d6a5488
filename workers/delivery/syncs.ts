import type { Instant } from '../../shared/argentine-time.ts'
import { pairById } from '../../shared/catalog.ts'
import { insertSyncs, type OwedSync, type Sync } from '../../shared/db/delivery/owed-syncs.ts'
import { recoverWebhooks } from '../../shared/db/delivery/recovery.ts'
import { eventPayload } from '../../shared/payload.ts'
import { announce, type DeliveryQueue } from './announce.ts'
import { log } from './log.ts'

export interface SyncDeps {
  db: D1Database
  queue: DeliveryQueue
  now: () => Instant
  /** Most deliveries accepted and not ended. */
  capacity: number
  newDeliveryId: (now: Instant) => string
}

/** Makes the syncs that are owed and announces them. */
export async function makeSyncs(deps: SyncDeps, owed: readonly OwedSync[]): Promise<void> {
  const { db, queue, now, capacity } = deps
  const syncs = owed.flatMap((one) => syncOf(deps, one))
  const ids = await insertSyncs(db, syncs, { capacity, now: now() })

  log('syncs_made', { owed: owed.length, made: ids.length })
  const at = now()
  await announce(
    queue,
    ids.map((id) => ({ id, at })),
    at,
  )
}

/** Webhooks in `capacity` become active and are owed a sync, which a following sweep makes. */
export async function recover(
  { db, capacity }: Pick<SyncDeps, 'db' | 'capacity'>,
  ids: readonly string[],
): Promise<void> {
  log('capacity_recovered', { webhooks: await recoverWebhooks(db, ids, capacity) })
}

/** Previous equal to current and variation 0; `updatedAt` keeps the true time of the data. */
function syncOf({ now, newDeliveryId }: SyncDeps, owed: OwedSync): Sync[] {
  const pair = pairById(owed.pair)
  if (!pair) return []

  const { webhookId, revision, buy, sell, updatedAt } = owed
  const madeAt = now()
  const value = { buy, sell, updatedAt }
  const body = eventPayload(pair, { kind: 'sync', current: value, previous: value, madeAt })
  return [{ webhookId, revision, updatedAt, deliveryId: newDeliveryId(madeAt), body }]
}
