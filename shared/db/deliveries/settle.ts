import type { Instant } from '../../argentine-time.ts'
import type { DELIVERY_ERRORS } from '../../webhooks/delivery.ts'
import type { Claim, Fence } from './claim.ts'
import { releaseCancelled, tallyDelivered, tallyEnded } from './counts.ts'
import { IS_ELIGIBLE, OPEN, RETENTION_MS, STALE_MS, TAKES_REDELIVERIES } from './open.ts'

/** Consecutive failed automatic attempts that pause a webhook. */
export const FAILURES_TO_PAUSE = 10

/** Whether the claim of the list item `v` still holds the row. */
const isHeld = (row: string) => `${row}.id = v.value ->> 0 and ${row}.lease_token = v.value ->> 1
  and ${row}.status = 'sending'`

/**
 * The statements that settle delivered rows: clear the webhooks, end the rows, count them. Each is
 * fenced by the token or by `changes()`, so a replay or a stale token changes nothing.
 */
export function deliveredStatements(
  db: D1Database,
  delivered: readonly { claim: Fence & Pick<Claim, 'clears'>; code: number }[],
  now: Instant,
): D1PreparedStatement[] {
  if (delivered.length === 0) return []
  const onEach = (some: typeof delivered, sql: string, ...values: Instant[]) =>
    db
      .prepare(sql)
      .bind(JSON.stringify(some.map(({ claim, code }) => [claim.id, claim.token, code])), ...values)

  return [
    onEach(
      delivered.filter(({ claim }) => claim.clears),
      `update subscriptions set
         consecutive_failures = iif(d.type = 'automatic', 0, consecutive_failures),
         needs_sync = needs_sync and not (
           state = 'active' and d.revision = subscriptions.revision and synced_revision <> -1)
       from json_each(?1) v join deliveries d on ${isHeld('d')}
       where subscriptions.id = d.subscription_id`,
    ),
    onEach(
      delivered,
      `update deliveries set status = 'delivered', code = v.value ->> 2, error_type = null,
         resolved_at = ?2, lease_token = null, lease_until = null
       from json_each(?1) v where ${isHeld('deliveries')}`,
      now,
    ),
    tallyDelivered(db, now),
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
  claim: Fence,
  { isSent, code, errorType, nextAttemptAt }: Undelivered,
  now: Instant,
): D1PreparedStatement[] {
  const isAutomatic = claim.type === 'automatic' && claim.redelivery === null
  const counts = isSent && isAutomatic && errorType !== 'interrupted'
  const settle = db.prepare(
    `update deliveries set
       (status, resolved_at, error_type, next_attempt_at, look_at) = (select
           case when next is null then 'dead' when not is_eligible then 'cancelled'
             when attempts = ?7 then 'pending' else 'failed' end,
           iif(next is not null and is_eligible, null, ?6),
           iif(next is ?5, coalesce(?4, error_type), 'expired'),
           coalesce(next, next_attempt_at), coalesce(next + ${STALE_MS}, look_at)
         from (select ${IS_ELIGIBLE} as is_eligible,
           iif(created_at > ?5 - ${RETENTION_MS}, ?5, null) as next)),
       attempts = attempts - ?7, releases = releases + (?7 and ?4 is not null),
       code = iif(?7, code, ?3), last_attempt_at = iif(?7, previous_attempt_at, last_attempt_at),
       lease_token = null, lease_until = null
     where id = ?1 and lease_token = ?2 and status = 'sending'`,
  )
  return [
    settle.bind(claim.id, claim.token, code, errorType, nextAttemptAt, now, Number(!isSent)),
    tallyEnded(db, claim.id, now),
    ...(counts ? noteFailure(db, claim.subscriptionId, { code, errorType }, now) : []),
  ]
}

function noteFailure(
  db: D1Database,
  subscriptionId: string,
  { code, errorType }: Pick<Undelivered, 'code' | 'errorType'>,
  now: Instant,
): D1PreparedStatement[] {
  const ofIt = (sql: string, ...values: (Instant | string | null)[]) =>
    db.prepare(sql).bind(subscriptionId, ...values)
  return [
    // On its own: a statement that may set the state writes the index of states each time.
    ofIt(
      `update subscriptions set consecutive_failures = consecutive_failures + 1
       where changes() = 1 and id = ?1`,
    ),
    ofIt(
      `update subscriptions set state = 'failure', enabled = 0, needs_sync = 0, version = version + 1
       where changes() = 1 and id = ?1 and consecutive_failures >= ${FAILURES_TO_PAUSE}
         and state in ('active', 'capacity')`,
    ),
    ofIt(
      `insert into notices (subscription_id, episode, created_at, code, error_type)
       select id, episode, ?2, ?3, ?4
       from subscriptions where id = iif(changes() = 1, ?1, null)
       on conflict (subscription_id, episode) do nothing`,
      now,
      code,
      errorType,
    ),
    ...cancelWaiting(db, subscriptionId, now),
  ]
}

/**
 * Cancels what waits of a subscription, if the statement before changed it: the deliveries of its
 * order, and its redeliveries unless it still takes them. Tests go on (decision 43).
 */
export function cancelWaiting(
  db: D1Database,
  subscriptionId: string,
  now: Instant,
): D1PreparedStatement[] {
  const cancel = db.prepare(
    `update deliveries set status = 'cancelled', resolved_at = ?2
     where subscription_id = iif(changes() = 1, ?1, null) and ${OPEN}
       and status in ('pending', 'failed') and iif(redelivery is null, type <> 'manual',
         not exists (select 1 from subscriptions w where w.id = ?1 and ${TAKES_REDELIVERIES}))`,
  )
  return [cancel.bind(subscriptionId, now), releaseCancelled(db)]
}
