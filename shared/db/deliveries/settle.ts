import type { Instant } from '../../argentine-time.ts'
import { cancelWaiting } from './cancel-waiting.ts'
import { releaseSettled } from './outstanding.ts'
import type { Claim, Fence } from './claim.ts'
import { ELIGIBILITY, isTooOld, STALE_MS } from './open.ts'
import { tallyDead, tallyDelivered } from './tallies.ts'

/** Consecutive failed automatic attempts that pause a webhook. */
export const FAILURES_TO_PAUSE = 10

/** What an attempt that did not deliver writes. */
export interface Failure {
  code: number | null
  errorType: 'http' | 'redirect' | 'timeout' | 'network' | 'destination' | 'interrupted'
  /** Null: it was the last one. Where the row is too old by then it ends `expired` now. */
  nextAttemptAt: Instant | null
}

/**
 * The statements that settle delivered rows: clear the webhooks, end the rows, count them. Each carries the fence or `changes()`, so a replay or a stale token changes nothing.
 * None returns what it wrote: `returning` would read each row three times more.
 */
export function deliveredStatements(
  db: D1Database,
  delivered: readonly { claim: Fence & Pick<Claim, 'clears'>; code: number }[],
  now: Instant,
): D1PreparedStatement[] {
  const ids = delivered.map(({ claim }) => claim.id)
  const cleared = delivered.flatMap(({ claim }) => (claim.clears ? [claim.subscriptionId] : []))
  const byId = Object.fromEntries(
    delivered.map(({ claim, code }) => [claim.id, [claim.token, code]]),
  )
  // The rows of `?1` whose claim still holds, as the token in `?2` says, id → [token, code].
  const isHeld = `deliveries.id in (select value from json_each(?1)) and status = 'sending'
    and lease_token = ?2 -> cast(deliveries.id as text) ->> 0`
  const heldOfWebhook = `select 1 from deliveries where ${isHeld} and subscription_id = subscriptions.id`
  const held = [JSON.stringify(ids), JSON.stringify(byId)]
  const clear = () =>
    db
      .prepare(
        `update subscriptions set
           consecutive_failures = iif(exists (${heldOfWebhook} and type = 'automatic' and redelivery is null),
             0, consecutive_failures),
           needs_sync = needs_sync and not (state = 'active'
             and exists (${heldOfWebhook} and type <> 'manual' and redelivery is null
               and revision = subscriptions.revision))
         where id in (select value from json_each(?3)) and (needs_sync or consecutive_failures > 0)
           and exists (${heldOfWebhook} and type <> 'manual' and redelivery is null)`,
      )
      .bind(...held, JSON.stringify(cleared))

  return [
    ...(cleared.length > 0 ? [clear()] : []),
    db
      .prepare(
        `update deliveries set status = 'delivered', code = ?2 -> cast(id as text) ->> 1,
           error_type = null, resolved_at = ?3, lease_token = null, lease_until = null
         where ${isHeld}`,
      )
      .bind(...held, now),
    tallyDelivered(db, now),
  ]
}

/**
 * The statements of one failed attempt. A row that is no longer eligible ends as `cancelled`, or it
 * would block its webhook's order for ever. The tenth consecutive failure of automatic deliveries
 * pauses the webhook, cancels what waits and prepares the notice, in this same batch. Every
 * statement after the first carries `changes()`: a replay or a stale token changes nothing.
 */
export function failureStatements(
  db: D1Database,
  claim: Fence,
  { code, errorType, nextAttemptAt: wanted }: Failure,
  now: Instant,
): D1PreparedStatement[] {
  const expires = wanted !== null && isTooOld(claim.createdAt, wanted)
  const nextAttemptAt = expires ? null : wanted
  const isCounted =
    claim.type === 'automatic' && claim.redelivery === null && errorType !== 'interrupted'

  return [
    db
      .prepare(
        `update deliveries set
           (status, resolved_at) = (select
               case when ?5 is null then 'dead' when is_eligible then 'failed' else 'cancelled' end,
               case when ?5 is not null and is_eligible then null else ?6 end
             from ${ELIGIBILITY}),
           code = ?3, error_type = ?4, next_attempt_at = coalesce(?5, next_attempt_at),
           look_at = coalesce(?5 + ${STALE_MS}, look_at), lease_token = null, lease_until = null
         where id = ?1 and lease_token = ?2 and status = 'sending'
         returning id, status, next_attempt_at`,
      )
      .bind(claim.id, claim.token, code, expires ? 'expired' : errorType, nextAttemptAt, now),
    ...(nextAttemptAt === null ? [tallyDead(db, now)] : [releaseSettled(db, claim.id)]),
    ...(isCounted ? noteFailure(db, claim, now) : []),
  ]
}

function noteFailure(db: D1Database, claim: Fence, now: Instant): D1PreparedStatement[] {
  return [
    // On its own: a statement that may set the state writes the index of states each time.
    db
      .prepare(
        `update subscriptions set consecutive_failures = consecutive_failures + 1
         where changes() = 1 and id = ?1`,
      )
      .bind(claim.subscriptionId),
    db
      .prepare(
        `update subscriptions set state = 'failure', enabled = 0, needs_sync = 0, version = version + 1
         where changes() = 1 and id = ?1 and consecutive_failures >= ${FAILURES_TO_PAUSE}
           and state in ('active', 'capacity')`,
      )
      .bind(claim.subscriptionId),
    db
      .prepare(
        `insert into notices (subscription_id, episode, created_at) select id, episode, ?2 from subscriptions
         where changes() = 1 and id = ?1
         on conflict (subscription_id, episode) do nothing`,
      )
      .bind(claim.subscriptionId, now),
    ...cancelWaiting(db, claim.subscriptionId, now),
  ]
}
