import type { Instant } from '../../argentine-time.ts'
import type { DELIVERY_ERRORS } from '../../webhooks/delivery.ts'
import type { Statement } from '../named-batch.ts'
import { type Claim, type Fence, RETENTION_MS, STALE_MS } from './claim.ts'

/** Consecutive failed automatic attempts that pause a webhook. */
export const FAILURES_TO_PAUSE = 10

/**
 * The statements that settle delivered rows: clear the webhooks, end the rows. Each is fenced by the
 * token, so a replay or a stale token changes nothing.
 */
export function deliveredStatements(
  db: D1Database,
  delivered: readonly { claim: Fence & Pick<Claim, 'clears'>; code: number }[],
  now: Instant,
): Statement[] {
  const clearing = delivered.filter(({ claim }) => claim.clears)
  const listOf = (some: typeof delivered) =>
    JSON.stringify(some.map(({ claim: { id, token }, code }) => ({ id, token, code })))

  return [
    ...(clearing.length > 0
      ? [
          db
            .prepare(
              `update subscriptions set
                 consecutive_failures = iif(d.type = 'automatic', 0, consecutive_failures),
                 needs_sync = needs_sync and not (state = 'active'
                   and d.revision = subscriptions.revision and synced_revision <> -1)
               from json_each(?1) v join deliveries d on d.id = v.value ->> 'id'
                 and d.lease_token = v.value ->> 'token' and d.status = 'sending'
               where subscriptions.id = d.subscription_id`,
            )
            .bind(listOf(clearing)),
        ]
      : []),
    ...(delivered.length > 0
      ? [
          db
            .prepare(
              `update deliveries set status = 'delivered', code = v.value ->> 'code',
                 error_type = null, resolved_at = ?2, lease_token = null, lease_until = null
               from json_each(?1) v where deliveries.id = v.value ->> 'id'
                 and deliveries.lease_token = v.value ->> 'token' and deliveries.status = 'sending'`,
            )
            .bind(listOf(delivered), now),
        ]
      : []),
  ]
}

/** How a claim ended that did not deliver. */
export interface Undelivered {
  /** Whether the receiver may have seen a request. If not, no attempt is counted. */
  isSent: boolean
  code: number | null
  /** Null for a claim that found no place in time, which is no fault. */
  errorType: Exclude<(typeof DELIVERY_ERRORS)[number], 'expired'> | null
  /** Null: it was the last attempt. A row that is too old by then ends `expired` now. */
  nextAttemptAt: Instant | null
}

/**
 * The statements of one claim that did not deliver. A row that is no longer eligible ends as
 * `cancelled`, or it would block its order for ever. The tenth consecutive failure of automatic
 * deliveries pauses the webhook, cancels what waits and prepares the notice, in this same batch. Each
 * statement after the first carries `changes()`: a replay or a stale token changes nothing.
 */
export function undeliveredStatements(
  db: D1Database,
  { id, token, subscriptionId, type, redelivery }: Fence,
  ended: Undelivered,
  now: Instant,
): Statement[] {
  const { isSent, code, errorType } = ended
  // `limit 1` keeps SQLite from merging the inner select, which would look up the webhook twice.
  const settled = db
    .prepare(
      `update deliveries set
         (status, resolved_at, error_type, next_attempt_at, look_at) = (
           select
             case when next is null then 'dead' when not is_eligible then 'cancelled'
               when attempts = iif(?1 ->> 'isSent', 0, 1) then 'pending' else 'failed' end,
             iif(next is not null and is_eligible, null, ?1 ->> 'now'),
             iif(next is ?1 ->> 'nextAttemptAt', coalesce(?1 ->> 'errorType', error_type), 'expired'),
             coalesce(next, next_attempt_at), coalesce(next + ${STALE_MS}, look_at)
           from (
             select iif(?1 ->> 'nextAttemptAt' is null, 0, t.is_eligible) as is_eligible,
               iif(created_at > ?1 ->> 'nextAttemptAt' - ${RETENTION_MS},
                 ?1 ->> 'nextAttemptAt', null) as next
             from delivery_turns t where t.id = deliveries.id limit 1)),
         attempts = attempts - iif(?1 ->> 'isSent', 0, 1),
         releases = releases + iif(?1 ->> 'isSent', 0, ?1 ->> 'errorType' is not null),
         code = iif(?1 ->> 'isSent', ?1 ->> 'code', code),
         last_attempt_at = iif(?1 ->> 'isSent', last_attempt_at, previous_attempt_at),
         lease_token = null, lease_until = null
       where id = ?1 ->> 'id' and lease_token = ?1 ->> 'token' and status = 'sending'`,
    )
    .bind(JSON.stringify({ id, token, now, ...ended }))

  const counts =
    isSent && errorType !== 'interrupted' && type === 'automatic' && redelivery === null
  if (!counts) return [settled]
  return [
    settled,
    // Apart from the next statement: one that sets the state also writes the index on the state.
    db
      .prepare(
        `update subscriptions set consecutive_failures = consecutive_failures + 1
         where changes() = 1 and id = ?1`,
      )
      .bind(subscriptionId),
    db
      .prepare(
        `update subscriptions set state = 'failure', enabled = 0, needs_sync = 0,
           version = version + 1
         where changes() = 1 and id = ?1 and consecutive_failures >= ${FAILURES_TO_PAUSE}
           and state in ('active', 'capacity')`,
      )
      .bind(subscriptionId),
    db
      .prepare(
        `insert into notices (subscription_id, episode, created_at, code, error_type)
         select id, episode, ?2, ?3, ?4 from subscriptions where id = iif(changes() = 1, ?1, null)
         on conflict (subscription_id, episode) do nothing`,
      )
      .bind(subscriptionId, now, code, errorType),
    cancelWaiting(db, subscriptionId, now),
  ]
}

/**
 * Cancels what waits of a subscription, if the statement before changed it: the deliveries of its
 * order, and its redeliveries unless it still takes them. Tests go on (decision 43).
 */
export function cancelWaiting(db: D1Database, subscriptionId: string, now: Instant): Statement {
  return db
    .prepare(
      `update deliveries set status = 'cancelled', resolved_at = ?2
       where subscription_id = iif(changes() = 1, ?1, null) and resolved_at is null
         and status in ('pending', 'failed') and iif(redelivery is null, type <> 'manual',
           not exists (select 1 from subscriptions w where w.id = ?1 and w.channel = 'https'
             and w.state in ('active', 'capacity')))`,
    )
    .bind(subscriptionId, now)
}

/**
 * Cancels rows that their webhook's revision or state no longer allows. Edits and pauses do this in
 * their own batch. A row that slipped by would block its webhook's order for ever.
 */
export function cancelIneligible(db: D1Database, ids: readonly number[], now: Instant): Statement {
  return db
    .prepare(
      `update deliveries set status = 'cancelled', resolved_at = ?2
       where id in (select t.id from json_each(?1) v join delivery_turns t on t.id = v.value
           where not t.is_eligible)
         and status in ('pending', 'failed')`,
    )
    .bind(JSON.stringify(ids), now)
}
