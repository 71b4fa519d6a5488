import type { Instant } from '../../argentine-time.ts'
import type { Price } from '../../price.ts'

/** A webhook that is owed a sync, and the value in effect of its pair. */
export interface OwedSync {
  webhookId: string
  revision: number
  pair: number
  buy: Price
  sell: Price
  updatedAt: Instant
}

/** A sync made of it. */
export interface Sync {
  webhookId: string
  revision: number
  updatedAt: Instant
  deliveryId: string
  body: string
}

const OWED = `needs_sync = 1 and synced_revision <> revision`

/** The statement that finds active webhooks whose owed sync was not made yet. */
export function findOwedSyncs(db: D1Database, limit: number): D1PreparedStatement {
  return db
    .prepare(
      `select w.id as webhookId, w.revision, w.pair, q.buy, q.sell, q.updated_at as updatedAt
       from webhooks w join current_quotes q on q.pair = w.pair
       where ${OWED} and w.state = 'active' limit ?1`,
    )
    .bind(limit)
}

/**
 * Makes syncs and reserves their places, in one batch. One is made only while it is still owed for
 * that revision, the value is still the one in effect and there is a place for each of them; of
 * any number of parallel sweeps one makes it. Returns the ids of the rows that were made.
 */
export async function insertSyncs(
  db: D1Database,
  syncs: readonly Sync[],
  { capacity, now }: { capacity: number; now: Instant },
): Promise<number[]> {
  const values = JSON.stringify(syncs)
  const [inserted] = (await db.batch([
    db
      .prepare(
        `insert into deliveries (delivery_id, webhook_id, account_id, revision, pair, destination,
           type, status, attempts, releases, body, created_at, next_attempt_at, hinted_at)
         select v.value ->> 'deliveryId', w.id, w.account_id, w.revision, w.pair, w.destination,
           'sync', 'pending', 0, 0, v.value ->> 'body', ?2, ?2, ?2
         from json_each(?1) v
           join webhooks w on w.id = v.value ->> 'webhookId'
           join current_quotes q on q.pair = w.pair
         where ${OWED} and w.state = 'active' and w.revision = v.value ->> 'revision'
           and q.updated_at = v.value ->> 'updatedAt'
           and coalesce((select outstanding from capacity where id = 1), 0) + ?3 <= ?4
         returning id`,
      )
      .bind(values, now, syncs.length, capacity),
    db.prepare(
      `insert into capacity (id, outstanding) select 1, changes() where changes() > 0
       on conflict (id) do update set outstanding = outstanding + excluded.outstanding`,
    ),
    db
      .prepare(
        `update webhooks set synced_revision = revision
         where id in (select webhook_id from deliveries where delivery_id in
           (select value ->> 'deliveryId' from json_each(?1)))`,
      )
      .bind(values),
  ])) as [D1Result<{ id: number }>, D1Result, D1Result]

  return inserted.results.map(({ id }) => id)
}
