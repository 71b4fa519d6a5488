import type { Quote } from '../../alerts/alert.ts'
import type { Instant } from '../../argentine-time.ts'
import { pairById } from '../../market/catalog.ts'
import { deliveryIdSql } from '../../webhooks/delivery.ts'
import { payloadOf } from '../../webhooks/payload.ts'
import { namedBatch, type Statement } from '../named-batch.ts'

/** The maximum of open tests per account, because all accounts share the capacity (decision 73). */
export const OPEN_TESTS = 50

/** A delivery that was just inserted and must be enqueued. */
export interface QueuedDelivery {
  id: number
  deliveryId: string
}

/** The current value of a pair. */
export interface Value extends Quote {
  pair: number
}

/** The statement that reads the current value of a subscription's pair. */
export function selectValue(db: D1Database, subscriptionId: string): Statement<Value> {
  return db
    .prepare(
      `select q.pair, q.buy, q.sell, q.updated_at as updatedAt
       from subscriptions w join current_quotes q on q.pair = w.pair where w.id = ?1`,
    )
    .bind(subscriptionId)
}

/** A test of a subscription of an account. */
export interface TestRequest {
  id: string
  accountId: string
  body: string
  capacity: number
  now: Instant
}

/**
 * Inserts a test if there is capacity and the account has less than `OPEN_TESTS` open (decisions 25
 * and 73). Returns null otherwise.
 */
export async function makeTest(
  db: D1Database,
  request: TestRequest,
): Promise<QueuedDelivery | null> {
  return db
    .prepare(
      `insert into deliveries (delivery_id, subscription_id, revision, pair,
         destination, type, status, attempts, releases, body, created_at, next_attempt_at)
       select ${deliveryIdSql('?2')}, w.id, w.revision, w.pair, w.destination,
         'manual', 'pending', 0, 0, ?1 ->> 'body', ?2, ?2
       from subscriptions w
       where w.id = ?1 ->> 'id' and w.account_id = ?1 ->> 'accountId' and w.destination is not null
         and (select outstanding from open_deliveries) < ?1 ->> 'capacity'
         and (select count(*) from owned_deliveries where account_id = ?1 ->> 'accountId'
           and resolved_at is null and type = 'manual') < ${OPEN_TESTS}
       returning id, delivery_id as deliveryId`,
    )
    .bind(JSON.stringify(request), request.now)
    .first<QueuedDelivery>()
}

/**
 * The statement that lists webhooks that can be resumed or are owed a sync (decision 42): at most
 * `limit`, and at most the free capacity. Every account gets one before any account gets two, in
 * random order, so that no account is always last. Without capacity it reads no webhook.
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
 * Resumes suspended webhooks of `ids` up to the capacity, each with a new revision that is owed a
 * sync, and inserts owed syncs. If a value has just changed, its syncs stay owed. If sweeps run
 * concurrently, only one inserts each sync.
 */
export async function resumeWebhooks(
  db: D1Database,
  ids: readonly string[],
  { capacity, now }: { capacity: number; now: Instant },
): Promise<{ id: number }[]> {
  const list = JSON.stringify(ids)
  const values = await db
    .prepare(`select pair, buy, sell, updated_at as updatedAt from current_quotes`)
    .all<Value>()
  const bodies = values.results.flatMap((value) => {
    const pair = pairById(value.pair)
    return pair ? [{ ...value, body: payloadOf('sync', pair, value, now) }] : []
  })
  const { made } = await namedBatch(db, {
    resumed: db
      .prepare(
        `update subscriptions set state = 'active', sync = 'owed', version = version + 1,
           revision = revision + 1
         where id in (
           select r.id from json_each(?1) v join resumable_webhooks r on r.id = v.value
           limit max(0, ?2 - (select outstanding from open_deliveries)))`,
      )
      .bind(list, capacity),
    made: db
      .prepare(
        `insert into deliveries (delivery_id, subscription_id, revision, pair,
           destination, type, status, attempts, releases, body, created_at, next_attempt_at)
         select ${deliveryIdSql('?1')}, o.id, o.revision, o.pair, o.destination,
           'sync', 'pending', 0, 0, b.value ->> 'body', ?1, ?1
         from json_each(?4) v join owed_syncs o on o.id = v.value join json_each(?3) b
           on b.value ->> 'pair' = o.pair and b.value ->> 'updatedAt' = o.updated_at
             and b.value ->> 'buy' = o.buy and b.value ->> 'sell' = o.sell
         limit max(0, ?2 - (select outstanding from open_deliveries))
         returning id`,
      )
      .bind(now, capacity, JSON.stringify(bodies), list) as Statement<{ id: number }>,
  })
  return made.results
}
