import type { Instant } from '../../argentine-time.ts'
import type { DELIVERY_ERRORS } from '../../webhooks/delivery.ts'
import type { Statement } from '../named-batch.ts'
import { type Claim, type Fence, LEASE_MS, RETENTION_MS, STALE_MS } from './claim.ts'

/** Consecutive failed automatic attempts that pause a webhook. */
export const FAILURES_TO_PAUSE = 10

/**
 * The statements that settle delivered rows: they reset the webhooks' failure counts and end the
 * rows. The token fences each statement, so a replay or a stale token changes nothing.
 */
export function deliveredStatements(
  db: D1Database,
  delivered: readonly { claim: Fence & Pick<Claim, 'clears'>; code: number }[],
  now: Instant,
): Statement[] {
  if (delivered.length === 0) return []
  const rows = delivered.map(({ claim: { id, token, clears }, code }) => ({
    id,
    token,
    clears,
    code,
  }))
  const cleared = db
    .prepare(
      `update subscriptions set
         consecutive_failures = iif(d.type = 'automatic', 0, consecutive_failures),
         sync = iif(sync = 'made' and state = 'active' and d.revision = subscriptions.revision,
           null, sync)
       from json_each(?1) v join deliveries d on d.id = v.value ->> 'id'
         and d.lease_token = v.value ->> 'token' and d.status = 'sending'
       where subscriptions.id = d.subscription_id and v.value ->> 'clears'`,
    )
    .bind(JSON.stringify(rows))
  const ended = db
    .prepare(
      `update deliveries set status = 'delivered', code = v.value ->> 'code', error_type = null,
         resolved_at = ?2, last_attempt_at = lease_until - ${LEASE_MS}, lease_token = null,
         lease_until = null
       from json_each(?1) v
       where deliveries.id = v.value ->> 'id' and deliveries.lease_token = v.value ->> 'token'
         and deliveries.status = 'sending'`,
    )
    .bind(JSON.stringify(rows), now)
  return rows.some(({ clears }) => clears) ? [cleared, ended] : [ended]
}

/** How an attempt failed, or why a claim was released. */
interface Failure {
  /** Null for a claim that got no connection in time, which does not count as a fault. */
  errorType: Exclude<(typeof DELIVERY_ERRORS)[number], 'expired'> | null
  /** Null after the last attempt. A row that would then be too old ends `expired` now. */
  nextAttemptAt: Instant | null
}

/** The JSON that the statements read: the fence and the failure. */
function settledRow(
  { id, token, createdAt }: Fence,
  failure: Failure & { code?: number | null },
  now: Instant,
): string {
  const { nextAttemptAt } = failure
  const expires = nextAttemptAt !== null && createdAt <= nextAttemptAt - RETENTION_MS
  const end = expires ? { errorType: 'expired', nextAttemptAt: null } : {}
  return JSON.stringify({ ...failure, ...end, id, token, now })
}

/**
 * The statements that settle a failed attempt that the receiver may have seen. A row that is no
 * longer eligible ends as `cancelled`, because it would block its order for ever. The tenth counted
 * failure in a row pauses the webhook, cancels its waiting deliveries and creates the notice. The
 * token fences the first statement; each further statement acts only if the previous statement
 * changed its row (`changes()`).
 */
export function failedStatements(
  db: D1Database,
  claim: Fence,
  failure: Failure & { code: number | null },
  now: Instant,
): Statement[] {
  const { subscriptionId, type, redelivered } = claim
  const { code, errorType } = failure
  // Without `limit 1`, SQLite would evaluate `goes_on` twice, and read the webhook twice.
  const settled = db
    .prepare(
      `update deliveries set
         (status, resolved_at) = (
           select case when goes_on then 'failed'
               when ?1 ->> 'nextAttemptAt' is null then 'dead' else 'cancelled' end,
             iif(goes_on, null, ?1 ->> 'now')
           from (
             select iif(?1 ->> 'nextAttemptAt' is null, 0, o.is_eligible) as goes_on
             from delivery_order o where o.id = deliveries.id limit 1)),
         next_attempt_at = coalesce(?1 ->> 'nextAttemptAt', next_attempt_at),
         look_at = coalesce(?1 ->> 'nextAttemptAt' + ${STALE_MS}, look_at),
         code = ?1 ->> 'code', error_type = ?1 ->> 'errorType',
         last_attempt_at = lease_until - ${LEASE_MS}, lease_token = null, lease_until = null
       where id = ?1 ->> 'id' and lease_token = ?1 ->> 'token' and status = 'sending'`,
    )
    .bind(settledRow(claim, failure, now))
  const counts = errorType !== 'interrupted' && type === 'automatic' && !redelivered
  if (!counts) return [settled]
  return [
    settled,
    // Not part of the next statement, because setting the state would also write its index.
    db
      .prepare(
        `update subscriptions set consecutive_failures = consecutive_failures + 1
         where changes() = 1 and id = ?1`,
      )
      .bind(subscriptionId),
    db
      .prepare(
        `update subscriptions set state = 'failure', sync = null, version = version + 1
         where changes() = 1 and id = ?1 and consecutive_failures >= ${FAILURES_TO_PAUSE}
           and state in ('active', 'capacity')`,
      )
      .bind(subscriptionId),
    db
      .prepare(
        `insert or replace into notices (subscription_id, created_at, code, error_type)
         select id, ?2, ?3, ?4 from subscriptions where id = iif(changes() = 1, ?1, null)`,
      )
      .bind(subscriptionId, now, code, errorType),
    cancelWaiting(db, subscriptionId, now),
  ]
}

/**
 * The statement that releases a claim that sent nothing. It restores the attempt count. For a fault
 * of ours, it also counts the release and stores the error.
 */
export function releasedStatement(
  db: D1Database,
  claim: Fence,
  failure: Failure,
  now: Instant,
): Statement {
  return db
    .prepare(
      `update deliveries set
         (status, resolved_at) = (
           select case when goes_on then iif(attempts = 1, 'pending', 'failed')
               when ?1 ->> 'nextAttemptAt' is null then 'dead' else 'cancelled' end,
             iif(goes_on, null, ?1 ->> 'now')
           from (
             select iif(?1 ->> 'nextAttemptAt' is null, 0, o.is_eligible) as goes_on
             from delivery_order o where o.id = deliveries.id limit 1)),
         next_attempt_at = coalesce(?1 ->> 'nextAttemptAt', next_attempt_at),
         look_at = coalesce(?1 ->> 'nextAttemptAt' + ${STALE_MS}, look_at),
         attempts = attempts - 1, releases = releases + (?1 ->> 'errorType' is not null),
         error_type = coalesce(?1 ->> 'errorType', error_type),
         lease_token = null, lease_until = null
       where id = ?1 ->> 'id' and lease_token = ?1 ->> 'token' and status = 'sending'`,
    )
    .bind(settledRow(claim, failure, now))
}

/**
 * Cancels a subscription's waiting deliveries, if the statement before changed the subscription.
 * Redeliveries stay if the subscription still accepts them, and tests always (decision 43).
 */
export function cancelWaiting(db: D1Database, subscriptionId: string, now: Instant): Statement {
  return db
    .prepare(
      `update deliveries set status = 'cancelled', resolved_at = ?2
       where subscription_id = iif(changes() = 1, ?1, null) and resolved_at is null
         and status in ('pending', 'failed') and iif(not redelivered, type <> 'manual',
           not exists (select 1 from subscriptions w where w.id = ?1 and w.destination is not null
             and w.state in ('active', 'capacity')))`,
    )
    .bind(subscriptionId, now)
}

/**
 * Cancels rows that their webhook's revision or state no longer allows. Edits and pauses cancel
 * rows in their own batch. A row that they missed would block its webhook's order for ever.
 */
export function cancelIneligible(db: D1Database, ids: readonly number[], now: Instant): Statement {
  return db
    .prepare(
      `update deliveries set status = 'cancelled', resolved_at = ?2
       where id in (select o.id from json_each(?1) v join delivery_order o on o.id = v.value
           where not o.is_eligible)
         and status in ('pending', 'failed')`,
    )
    .bind(JSON.stringify(ids), now)
}
