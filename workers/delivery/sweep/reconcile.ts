import type { Instant } from '../../../shared/argentine-time.ts'
import { namedBatch } from '../../../shared/db/named-batch.ts'
import { cancelIneligible, failedStatements } from '../../../shared/db/deliveries/settle.ts'
import { log } from '../../../shared/log.ts'
import { enqueue, type EnqueueDeps } from '../../../shared/webhooks/enqueue.ts'
import type { Waits } from '../../../shared/config/config.ts'
import { retryDelayMs } from '../../../shared/webhooks/retry.ts'
import { markSeen, STALE_AT_ONCE, type StaleDelivery } from '../db/sweep.ts'

export interface ReconcileDeps extends EnqueueDeps {
  db: D1Database
  now: () => Instant
  sleep: (ms: number) => Promise<void>
  waits: Waits
  random: () => number
  /** The maximum of open deliveries. */
  capacity: number
}

/**
 * Settles attempts with an expired lease, cancels rows that may no longer be sent, enqueues due
 * rows, and sets when to look again at all waiting rows. Returns whether another sweep must follow.
 */
export async function reconcile(
  deps: ReconcileDeps,
  rows: readonly StaleDelivery[],
): Promise<boolean> {
  const { db } = deps
  const now = deps.now()
  const sending = rows.filter(({ status }) => status === 'sending')
  const interrupted = sending.map((row) => interrupt(deps, row, now))
  const waiting = rows.filter(({ status, isEligible }) => status !== 'sending' && isEligible)
  const ineligible = rows.filter(({ status, isEligible }) => status !== 'sending' && !isEligible)
  const seen = waiting.map(({ id, waitsUntil }) => ({ id, at: waitsUntil ?? now }))
  const due = waiting.filter(({ waitsUntil }) => waitsUntil === null)

  // Before enqueuing: if that fails halfway, the next sweep must not enqueue the same rows again.
  await namedBatch(db, {
    interrupted: interrupted.flatMap(({ statements }) => statements),
    cancelled: cancelIneligible(
      db,
      ineligible.map(({ id }) => id),
      now,
    ),
    seen: markSeen(db, seen),
  })
  const hints = [...due.map(({ id }) => ({ id })), ...interrupted.flatMap(({ next }) => next)]
  const { refused, backlog } = await enqueue(deps, hints)
  log('sweep', { due: due.length, expired: interrupted.length, cancelled: ineligible.length })
  // No further sweep while the queue is down, or when it may already have a hint for every row.
  const isDown = refused > 0 && refused === hints.length
  return rows.length === STALE_AT_ONCE && !isDown && (backlog ?? 0) < deps.capacity
}

/**
 * Settles an attempt with an expired lease. It counts as an attempt, because it may have reached
 * the receiver, but not as one of the ten failures that pause (decision 23: which failures count).
 */
function interrupt({ db, waits, random }: ReconcileDeps, row: StaleDelivery, now: Instant) {
  const delay = retryDelayMs(waits, row.attempts, random)
  const at = delay === null ? null : now + delay
  const failure = { code: null, errorType: 'interrupted', nextAttemptAt: at } as const
  return {
    statements: failedStatements(db, row, failure, now),
    next: at === null ? [] : [{ id: row.id, at }],
  }
}
