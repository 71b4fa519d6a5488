import type { Instant } from '../../../shared/argentine-time.ts'
import type { Fence } from '../../../shared/db/deliveries/claim.ts'
import { releaseCancelled } from '../../../shared/db/deliveries/counts.ts'
import { headOfRow, IS_ELIGIBLE, OPEN, STALE_MS } from '../../../shared/db/deliveries/open.ts'
import { MAY_DELIVER } from '../../../shared/db/installation.ts'
import { undeliveredStatements } from '../../../shared/db/deliveries/settle.ts'
import type { Statement } from '../../../shared/db/named-batch.ts'
import { log } from '../../../shared/log.ts'
import { enqueue, type EnqueueDeps, LONG_PAUSES_MS } from '../../../shared/webhooks/enqueue.ts'
import type { Waits } from '../../../shared/config/config.ts'
import { retryDelayMs } from '../../../shared/webhooks/retry.ts'

export interface ReconcileDeps extends EnqueueDeps {
  db: D1Database
  now: () => Instant
  sleep: (ms: number) => Promise<void>
  waits: Waits
  random: () => number
  /** Most deliveries that may be open. */
  capacity: number
}

/** An open row that nobody sends, that a sweep has to look at. */
export interface StaleDelivery extends Fence {
  status: 'pending' | 'sending' | 'failed'
  attempts: number
  isEligible: 0 | 1
  /** When it, or the row before which it must not go out, may go out; null when it may go out now. */
  waitsUntil: Instant | null
}

/** Stale deliveries of one sweep: five batches of hints. */
const STALE_AT_ONCE = 500

/** Those of them whose lease ran out: three statements each, of the thousand of an invocation. */
const INTERRUPTED_AT_ONCE = 200

/** Whether nobody is sending the row: a claim writes no index, so its lease is asked here. */
const IS_FREE = `(status <> 'sending' or lease_until <= ?3)`

/** A row behind another waits for that one's retry, and is enqueued when that one ends. */
const WAITS_UNTIL = `iif(deliveries.next_attempt_at > ?3, deliveries.next_attempt_at, (
  select iif(h.status = 'failed', max(h.next_attempt_at, ?3), ?3)
  from deliveries h where h.id = ${headOfRow('deliveries')} and h.id <> deliveries.id))`

/** Rows that no sweep has seen since they were made. */
const unseen = (columns: string) => `select ${columns} from deliveries
  where look_at is null and ${OPEN}`

/**
 * The statement that finds stale rows: first those that no sweep has seen, then the longest unseen. So
 * every row has its turn, whatever the backlog. Without one it reads three rows.
 */
export function findStale(db: D1Database, now: Instant): Statement<StaleDelivery> {
  return db
    .prepare(
      `with due as (
         select id from (
           ${unseen('id, created_at')} and ${IS_FREE} order by id
           limit iif((${unseen('created_at')} order by id limit 1) <= ?1, ?2, 0))
         where created_at <= ?1
         union all
         select * from (select id from deliveries where look_at <= ?3 and ${OPEN} and ${IS_FREE}
           order by look_at limit ?2)
         limit ?2)
       select deliveries.id, subscription_id as subscriptionId, type, status, redelivery, attempts,
         lease_token as token, ${IS_ELIGIBLE} as isEligible,
         ${WAITS_UNTIL} as waitsUntil
       from due join deliveries on deliveries.id = due.id where ${MAY_DELIVER}`,
    )
    .bind(now - STALE_MS, STALE_AT_ONCE, now)
}

/**
 * Expires leases, cancels what is no longer eligible, enqueues what is due, and puts off what has to
 * wait. Returns whether another sweep has to go on.
 */
export async function reconcile(
  deps: ReconcileDeps,
  rows: readonly StaleDelivery[],
): Promise<boolean> {
  const { db } = deps
  const now = deps.now()
  const sending = rows.filter(({ status }) => status === 'sending')
  const interrupted = sending.slice(0, INTERRUPTED_AT_ONCE).map((row) => interrupt(deps, row, now))
  const waiting = rows.filter(({ status, isEligible }) => status !== 'sending' && isEligible)
  const ineligible = rows.filter(({ status, isEligible }) => status !== 'sending' && !isEligible)
  const seen = waiting.map(({ id, waitsUntil }) => ({ id, at: waitsUntil ?? now }))
  const due = waiting.filter(({ waitsUntil }) => waitsUntil === null)

  // Marked before the queue has them: if it fails half way, the next sweep must not take them again.
  await db.batch([
    ...interrupted.flatMap(({ statements }) => statements),
    ...cancelIneligible(
      db,
      ineligible.map(({ id }) => id),
      now,
    ),
    markSeen(db, seen),
  ])
  const hints = [...due.map(({ id }) => ({ id })), ...interrupted.flatMap(({ next }) => next)]
  const { refused, backlog } = await enqueue(deps, hints, LONG_PAUSES_MS)
  log('sweep', { due: due.length, expired: interrupted.length, cancelled: ineligible.length })
  // A queue that is down gets no more, nor one that may hold a hint for every row already.
  const isDown = refused > 0 && refused === hints.length
  const areMore = rows.length === STALE_AT_ONCE || sending.length > interrupted.length
  return areMore && !isDown && (backlog ?? 0) < deps.capacity
}

/**
 * The attempt may have reached the receiver, so it counts; but not towards the ten (decision 23:
 * which failures count).
 */
function interrupt({ db, waits, random }: ReconcileDeps, row: StaleDelivery, now: Instant) {
  const delay = retryDelayMs(waits, row.attempts, random)
  const at = delay === null ? null : now + delay
  const end = { isSent: true, code: null, errorType: 'interrupted', nextAttemptAt: at } as const
  return {
    statements: undeliveredStatements(db, row, end, now),
    next: at === null ? [] : [{ id: row.id, at }],
  }
}

/**
 * Cancels rows that their webhook's revision or state no longer allows. Edits and pauses do this in
 * their own batch. A row that slipped by would block its webhook's order for ever.
 */
function cancelIneligible(
  db: D1Database,
  ids: readonly number[],
  now: Instant,
): D1PreparedStatement[] {
  const cancelled = db
    .prepare(
      `update deliveries set status = 'cancelled', resolved_at = ?2
       where id in (select value from json_each(?1)) and status in ('pending', 'failed')
         and not ${IS_ELIGIBLE}`,
    )
    .bind(JSON.stringify(ids), now)
  return [cancelled, releaseCancelled(db)]
}

/** A sweep looks at waiting rows again some time after they are enqueued, or were to wait until. */
function markSeen(
  db: D1Database,
  rows: readonly { id: number; at: Instant }[],
): D1PreparedStatement {
  return db
    .prepare(
      `update deliveries set look_at = v.at + ${STALE_MS}
       from (select value ->> 'id' as id, value ->> 'at' as at from json_each(?1)) v
       where deliveries.id = v.id and status in ('pending', 'failed')`,
    )
    .bind(JSON.stringify(rows))
}
