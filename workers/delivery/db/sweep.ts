/** Rows that a sweep handles: deliveries that no run sends, and rows over seven days old. */
import type { Instant } from '../../../shared/argentine-time.ts'
import { type Fence, RETENTION_MS, STALE_MS } from '../../../shared/db/deliveries/claim.ts'
import { MAY_DELIVER } from '../../../shared/db/installation.ts'
import type { Statement } from '../../../shared/db/named-batch.ts'

/** An open row whose hint seems lost or whose lease has expired. */
export interface StaleDelivery extends Fence {
  status: 'pending' | 'sending' | 'failed'
  attempts: number
  isEligible: 0 | 1
  /** When this row, or an earlier row of its order, may be sent. Null if it may be sent now. */
  waitsUntil: Instant | null
}

/**
 * The maximum of stale deliveries per sweep: five batches of hints, and half of the 1,000
 * statements that D1 allows per invocation.
 */
export const STALE_AT_ONCE = 500

/** The maximum of rows deleted per sweep. D1 recommends splitting large deletions. */
export const PRUNED_AT_ONCE = 500

/**
 * The statement that finds stale rows: first rows that no sweep has seen, then the rows that are
 * due longest. So every row gets its turn, whatever the backlog. Skips rows with a valid lease. A
 * row behind an earlier row waits for that row's retry. Without stale rows, it reads three rows.
 */
export function findStale(db: D1Database, now: Instant): Statement<StaleDelivery> {
  return db
    .prepare(
      `with stale as (
         select id from (
           select id, created_at from deliveries
           where look_at is null and resolved_at is null
             and (status <> 'sending' or lease_until <= ?3)
           order by id
           limit iif((select created_at from deliveries
             where look_at is null and resolved_at is null order by id limit 1) <= ?1, ?2, 0))
         where created_at <= ?1
         union all
         select * from (
           select id from deliveries
           where look_at <= ?3 and resolved_at is null
             and (status <> 'sending' or lease_until <= ?3)
           order by look_at limit ?2)
         limit ?2)
       select d.id, d.subscription_id as subscriptionId, d.type, d.status, d.redelivered, d.attempts,
         d.created_at as createdAt, d.lease_token as token, o.is_eligible as isEligible,
         iif(d.next_attempt_at > ?3, d.next_attempt_at, (
           select iif(h.status = 'failed', max(h.next_attempt_at, ?3), ?3)
           from deliveries h where h.id = o.head and h.id <> d.id)) as waitsUntil
       from stale join deliveries d on d.id = stale.id
         join delivery_order o on o.id = stale.id
       where ${MAY_DELIVER}`,
    )
    .bind(now - STALE_MS, STALE_AT_ONCE, now)
}

/** Sets when a sweep looks at rows again: `STALE_MS` after `at`. */
export function markSeen(db: D1Database, rows: readonly { id: number; at: Instant }[]): Statement {
  return db
    .prepare(
      `update deliveries set look_at = v.at + ${STALE_MS}
       from (select value ->> 'id' as id, value ->> 'at' as at from json_each(?1)) v
       where deliveries.id = v.id and status in ('pending', 'failed')`,
    )
    .bind(JSON.stringify(rows))
}

/** The statements that delete deliveries and tallies older than seven days. */
export function pruneStatements(db: D1Database, now: Instant) {
  const prune = (sql: string): Statement => db.prepare(sql).bind(now - RETENTION_MS)
  return {
    // Ids grow with time, so if the oldest row is young, no other row is read.
    pruned: prune(
      `delete from deliveries where id in (
         select id from (
           select id, created_at from deliveries order by id
           limit iif((select created_at from deliveries order by id limit 1) <= ?1,
             ${PRUNED_AT_ONCE}, 0))
         where created_at <= ?1)
       returning id`,
    ),
    tallies: prune(`delete from delivery_tallies where at <= ?1`),
  }
}
