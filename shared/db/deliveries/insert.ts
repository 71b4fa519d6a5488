import type { Instant } from '../../argentine-time.ts'
import { pairById } from '../../market/catalog.ts'
import type { Price } from '../../market/price.ts'
import { deliveryIdSql } from '../../webhooks/delivery.ts'
import { repeatPayload } from '../../webhooks/payload.ts'
import { namedBatch, type Statement } from '../named-batch.ts'
import { PAIR_IDS } from '../subscriptions.ts'

/** Open tests per account at most, because all accounts share the capacity (decision 73). */
export const OPEN_TESTS = 50

/** A delivery that was just made, to be enqueued. */
export interface QueuedDelivery {
  id: number
  deliveryId: string
}

/** A value in effect. */
interface Value {
  pair: number
  buy: Price
  sell: Price
  updatedAt: Instant
}

/** The values in effect, with the bodies of syncs or tests, which repeat them. */
async function readBodies(db: D1Database, kind: 'sync' | 'manual', now: Instant): Promise<string> {
  const { results } = await db
    .prepare(`select pair, buy, sell, updated_at as updatedAt from current_quotes`)
    .all<Value>()
  const bodies = results.flatMap((value) => {
    const pair = pairById(value.pair)
    return pair ? [{ ...value, body: repeatPayload(kind, pair, value, now) }] : []
  })
  return JSON.stringify(bodies)
}

/** The subscription to test, and the capacity. */
export interface TestRequest {
  id: string
  accountId: string
  /** The most deliveries that may be open at once. */
  capacity: number
  now: Instant
}

/** What became of a test; `stale`: the value of its body has just changed. */
export type TestMade = QueuedDelivery | 'not_found' | 'quote_unavailable' | 'no_capacity' | 'stale'

/**
 * Makes a test of a webhook, which repeats the value in effect, while there is capacity and the
 * account has not too many open (decisions 25 and 73: tests, and how many).
 */
export async function makeWebhookTest(
  db: D1Database,
  { id, accountId, capacity, now }: TestRequest,
): Promise<TestMade> {
  const bodies = await readBodies(db, 'manual', now)
  const { inserted, found } = await namedBatch(db, {
    inserted: db
      .prepare(
        `insert into deliveries (delivery_id, subscription_id, account_id, revision, pair,
           destination, type, status, attempts, releases, body, created_at, next_attempt_at)
         select ${deliveryIdSql('?1')}, w.id, w.account_id, w.revision, w.pair, w.destination,
           'manual', 'pending', 0, 0, b.value ->> 'body', ?1, ?1
         from subscriptions w join current_quotes q on q.pair = w.pair join json_each(?3) b
           on b.value ->> 'pair' = q.pair and b.value ->> 'updatedAt' = q.updated_at
             and b.value ->> 'buy' = q.buy and b.value ->> 'sell' = q.sell
         where w.id = ?4 and w.account_id = ?5 and w.kind = 'webhook' and w.pair in (${PAIR_IDS})
           and (select outstanding from open_deliveries) < ?2
           and (select count(*) from open_of_accounts where account_id = ?5 and type = 'manual')
             < ${OPEN_TESTS}
         returning id, delivery_id as deliveryId`,
      )
      .bind(now, capacity, bodies, id, accountId) as Statement<QueuedDelivery>,
    found: db
      .prepare(
        `select q.pair is not null as isQuoted, (select outstanding from open_deliveries) < ?3
           and (select count(*) from open_of_accounts where account_id = ?2 and type = 'manual')
             < ${OPEN_TESTS} as hasRoom
         from subscriptions w left join current_quotes q on q.pair = w.pair
         where w.id = ?1 and w.account_id = ?2 and w.kind = 'webhook' and w.pair in (${PAIR_IDS})`,
      )
      .bind(id, accountId, capacity) as Statement<{ isQuoted: 0 | 1; hasRoom: 0 | 1 }>,
  })
  const [test] = inserted.results
  const [webhook] = found.results
  if (test) return test
  if (!webhook) return 'not_found'
  if (!webhook.isQuoted) return 'quote_unavailable'
  return webhook.hasRoom ? 'stale' : 'no_capacity'
}

/** Makes a test of an alert by webhook, within the limits of webhook tests; null when they are reached. */
export async function makeAlertTest(
  db: D1Database,
  { id, accountId, capacity, now }: TestRequest,
  body: string,
): Promise<QueuedDelivery | null> {
  return db
    .prepare(
      `insert into deliveries (delivery_id, subscription_id, account_id, revision, pair,
         destination, type, status, attempts, releases, body, created_at, next_attempt_at)
       select ${deliveryIdSql('?1')}, id, account_id, revision, pair, destination, 'manual',
         'pending', 0, 0, ?4, ?1, ?1
       from subscriptions where id = ?2 and account_id = ?3 and channel = 'https'
         and (select outstanding from open_deliveries) < ?5
         and (select count(*) from open_of_accounts where account_id = ?3 and type = 'manual')
           < ${OPEN_TESTS}
       returning id, delivery_id as deliveryId`,
    )
    .bind(now, id, accountId, body, capacity)
    .first<QueuedDelivery>()
}

/**
 * The statement that lists at most `limit` webhooks that can be resumed or are owed a sync (decision 42:
 * how syncs end), as many as there is capacity for. Every account gets one before any gets two, in
 * random order, so that nobody is always the last. Without capacity it reads no webhook.
 */
export function findOwedSyncs(
  db: D1Database,
  capacity: number,
  limit: number,
): Statement<{ id: string }> {
  return db
    .prepare(
      `select id from (
         select id, row_number() over (partition by account_id order by random()) as nth
         from (
           select id, account_id from resumable_webhooks
           where (select outstanding from open_deliveries) < ?1
           union all
           select id, account_id from owed_syncs
           where (select outstanding from open_deliveries) < ?1))
       order by nth, random()
       limit max(0, min(?2, ?1 - (select outstanding from open_deliveries)))`,
    )
    .bind(capacity, limit)
}

/**
 * Resumes webhooks of `ids` while there is capacity, each owed a sync of a new revision, and makes the
 * syncs that are owed. Where the value has just changed the sync stays owed. Of parallel sweeps one
 * makes each.
 */
export async function resumeWebhooks(
  db: D1Database,
  ids: readonly string[],
  { capacity, now }: { capacity: number; now: Instant },
): Promise<{ id: number }[]> {
  const list = JSON.stringify(ids)
  const bodies = await readBodies(db, 'sync', now)
  const { made } = await namedBatch(db, {
    resumed: db
      .prepare(
        `update subscriptions set state = 'active', needs_sync = 1, version = version + 1,
           revision = revision + 1
         where id in (
           select r.id from json_each(?1) v join resumable_webhooks r on r.id = v.value
           limit max(0, ?2 - (select outstanding from open_deliveries)))`,
      )
      .bind(list, capacity),
    made: db
      .prepare(
        `insert into deliveries (delivery_id, subscription_id, account_id, revision, pair,
           destination, type, status, attempts, releases, body, created_at, next_attempt_at)
         select ${deliveryIdSql('?1')}, o.id, o.account_id, o.revision, o.pair, o.destination,
           'sync', 'pending', 0, 0, b.value ->> 'body', ?1, ?1
         from json_each(?4) v join owed_syncs o on o.id = v.value join json_each(?3) b
           on b.value ->> 'pair' = o.pair and b.value ->> 'updatedAt' = o.updated_at
             and b.value ->> 'buy' = o.buy and b.value ->> 'sell' = o.sell
         limit max(0, ?2 - (select outstanding from open_deliveries))
         returning id`,
      )
      .bind(now, capacity, bodies, list) as Statement<{ id: number }>,
  })
  return made.results
}
