import type { Instant } from '../../argentine-time.ts'
import { releaseCancelled, releaseEnded, releaseSettled } from './capacity.ts'
import { FITTING, OPEN } from './open.ts'
import { type Fence, settle, type Settled } from './settled.ts'
import { tally } from './tallies.ts'

/** Consecutive failed automatic attempts that pause a webhook. */
export const FAILURES_TO_PAUSE = 10

/** What an attempt that did not deliver writes. */
export interface Failure {
  code: number | null
  errorType: 'http' | 'redirect' | 'timeout' | 'network' | 'destination' | 'interrupted'
  /** Null: it was the last one. */
  nextAttemptAt: Instant | null
}

/** Every statement after the first carries `changes()`: a replay or a stale token changes nothing. */
export async function settleDelivered(
  db: D1Database,
  claim: Fence,
  code: number,
  now: Instant,
): Promise<Settled> {
  return settle(db, claim, [
    db
      .prepare(
        `update deliveries set status = 'delivered', code = ?3, error_type = null,
           resolved_at = ?4, lease_token = null, lease_until = null
         where id = ?1 and lease_token = ?2 and status = 'sending'`,
      )
      .bind(claim.id, claim.token, code, now),
    releaseEnded(db),
    tally(db, 'delivered', now),
    ...(claim.type === 'manual' ? [] : [noteSuccess(db, claim.id)]),
  ])
}

/**
 * Records a failed attempt. A row that fits its webhook no longer ends as `cancelled`, or it would
 * block the order for ever. The tenth consecutive failure of automatic deliveries pauses the
 * webhook, cancels what waits and prepares the notice, in this same batch.
 */
export async function settleFailed(
  db: D1Database,
  claim: Fence,
  failure: Failure,
  now: Instant,
): Promise<Settled> {
  return settle(db, claim, failureStatements(db, claim, failure, now))
}

/** The statements of a failure, for the sweeper to put several into one batch. */
export function failureStatements(
  db: D1Database,
  claim: Fence,
  { code, errorType, nextAttemptAt }: Failure,
  now: Instant,
): D1PreparedStatement[] {
  const isCounted = claim.type === 'automatic' && errorType !== 'interrupted'

  return [
    db
      .prepare(
        `update deliveries set
           (status, resolved_at) = (select
               case when ?5 is null then 'dead' when fits then 'failed' else 'cancelled' end,
               case when ?5 is not null and fits then null else ?6 end
             from ${FITTING}),
           code = ?3, error_type = ?4, next_attempt_at = coalesce(?5, next_attempt_at),
           hinted_at = coalesce(?5, hinted_at), lease_token = null, lease_until = null
         where id = ?1 and lease_token = ?2 and status = 'sending'`,
      )
      .bind(claim.id, claim.token, code, errorType, nextAttemptAt, now),
    ...(nextAttemptAt === null
      ? [releaseEnded(db), tally(db, 'dead', now)]
      : [releaseSettled(db, claim.id)]),
    ...(isCounted ? noteFailure(db, claim, now) : []),
  ]
}

function noteSuccess(db: D1Database, id: number): D1PreparedStatement {
  return db
    .prepare(
      `update webhooks set
         consecutive_failures = case d.type when 'automatic' then 0 else consecutive_failures end,
         needs_sync = needs_sync and not (state = 'active' and webhooks.revision = d.revision)
       from deliveries d
       where changes() = 1 and d.id = ?1 and webhooks.id = d.webhook_id
         and (needs_sync or (d.type = 'automatic' and consecutive_failures > 0))`,
    )
    .bind(id)
}

function noteFailure(db: D1Database, claim: Fence, now: Instant): D1PreparedStatement[] {
  const isTenth = `consecutive_failures + 1 >= ${FAILURES_TO_PAUSE}
    and state in ('active', 'capacity')`

  return [
    db
      .prepare(
        `update webhooks set consecutive_failures = consecutive_failures + 1,
           state = case when ${isTenth} then 'failure' else state end,
           enabled = case when ${isTenth} then 0 else enabled end,
           needs_sync = case when ${isTenth} then 0 else needs_sync end,
           version = case when ${isTenth} then version + 1 else version end
         where changes() = 1 and id = ?1`,
      )
      .bind(claim.webhookId),
    db
      .prepare(
        `insert into notices (webhook_id, episode, created_at) select id, episode, ?2 from webhooks
         where changes() = 1 and id = ?1 and state = 'failure'
         on conflict (webhook_id, episode) do nothing`,
      )
      .bind(claim.webhookId, now),
    db
      .prepare(
        `update deliveries set status = 'cancelled', resolved_at = ?2
         where webhook_id = (select ?1 where changes() = 1) and type in ('automatic', 'sync')
           and ${OPEN} and status in ('pending', 'failed')`,
      )
      .bind(claim.webhookId, now),
    releaseCancelled(db),
  ]
}
