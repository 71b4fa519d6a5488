import type { Instant } from '../../../shared/argentine-time.ts'
import { cancelIneligible, endTooOld } from '../db/end-waiting.ts'
import { isTooOld } from '../../../shared/db/deliveries/open.ts'
import { failureStatements } from '../../../shared/db/deliveries/settle.ts'
import { findStale, markAnnounced, staleDeliveriesOf, type StaleDelivery } from '../db/stale.ts'
import { log } from '../../../shared/log.ts'
import { enqueue, LONG_PAUSES_MS } from '../../../shared/webhooks/enqueue.ts'
import { retryDelayMs } from '../../../shared/webhooks/retry.ts'
import type { Schedule } from '../consume/settle.ts'
import type { Budget } from './budget.ts'
import type { ResumeDeps } from './resume.ts'

export interface ReconcileDeps extends Schedule, ResumeDeps {}

/** What is done with a stale delivery. */
type Action =
  | { kind: 'interrupt' }
  | { kind: 'end' }
  | { kind: 'cancel' }
  | { kind: 'enqueue' }
  | { kind: 'wait'; until: Instant }

/** Stale deliveries of one round trip: five batches of hints. */
export const STALE_AT_ONCE = 500

/** Statements of a lease that ran out. */
const QUERIES_OF_INTERRUPTED = 2

/**
 * Reconciles stale deliveries, and more of them while the queue takes their hints. Returns whether
 * some are left that only another invocation can reconcile.
 */
export async function reconcile(
  deps: ReconcileDeps,
  first: readonly StaleDelivery[],
  budget: Budget,
): Promise<boolean> {
  const { db, now } = deps
  for (let rows = first; rows.length > 0;) {
    const goesOn = await reconcileSome(deps, rows, budget)
    if (!goesOn || rows.length < STALE_AT_ONCE) return false
    if (budget.isSpent) return true

    const [found] = await db.batch(budget.spend([findStale(db, now(), STALE_AT_ONCE)]))
    rows = staleDeliveriesOf(found!)
  }
  return false
}

/** Expires leases, enqueues what is due, and puts off what has to wait. */
async function reconcileSome(
  deps: ReconcileDeps,
  rows: readonly StaleDelivery[],
  budget: Budget,
): Promise<boolean> {
  const { db, now } = deps
  const at = now()
  const planned = rows.map((row) => ({ row, action: actionFor(row, at) }))
  const rowsOf = (kind: Action['kind']) =>
    planned.filter(({ action }) => action.kind === kind).map(({ row }) => row)
  const idsOf = (kind: Action['kind']) => rowsOf(kind).map(({ id }) => id)

  // The next sweep finds those for which no query is left.
  const interrupted = rowsOf('interrupt')
    .slice(0, budget.timesLeft(QUERIES_OF_INTERRUPTED))
    .map((row) => interrupt(deps, row, at))
  const [ineligible, old] = [idsOf('cancel'), idsOf('end')]
  const due = rowsOf('enqueue').map(({ id }) => ({ id, at }))
  const waiting = planned.flatMap(({ row, action }) =>
    action.kind === 'wait' ? [{ id: row.id, at: action.until }] : [],
  )

  const statements = [
    ...interrupted.flatMap(({ statements }) => statements),
    ...(ineligible.length > 0 ? cancelIneligible(db, ineligible, at) : []),
    ...(old.length > 0 ? endTooOld(db, old, at) : []),
  ]
  if (statements.length > 0) await db.batch(budget.spend(statements))

  // Marked first: if the queue fails half way, the next sweep must not take them all again.
  const marked = [...due, ...waiting]
  if (marked.length > 0) await db.batch(budget.spend([markAnnounced(db, marked)]))
  const again = interrupted.flatMap(({ next }) => (next ? [next] : []))
  const enqueued = [...due, ...again]
  const { refused, backlog } = await enqueue(deps, enqueued, LONG_PAUSES_MS)
  log('sweep', {
    due: due.length,
    expired: interrupted.length,
    ended: old.length,
    cancelled: ineligible.length,
  })
  // A queue that is down gets no more, nor one that may hold a hint for every row already.
  const isDown = refused > 0 && refused === enqueued.length
  return !isDown && (backlog ?? 0) < deps.capacity
}

function actionFor(row: StaleDelivery, now: Instant): Action {
  if (row.status === 'sending') return { kind: 'interrupt' }
  if (isTooOld(row.createdAt, now)) return { kind: 'end' }
  if (!row.isEligible) return { kind: 'cancel' }
  if (row.nextAttemptAt > now) return { kind: 'wait', until: row.nextAttemptAt }
  return row.behindUntil === null ? { kind: 'enqueue' } : { kind: 'wait', until: row.behindUntil }
}

/**
 * The attempt may have reached the receiver, so it counts; but not towards the ten (decision 23:
 * which failures count).
 */
function interrupt({ db, waits, random }: ReconcileDeps, row: StaleDelivery, now: Instant) {
  const delay = retryDelayMs(waits, row.attempts, random)
  const nextAttemptAt = delay === null ? null : now + delay
  const { id, createdAt } = row
  const fence = { ...row, token: row.token! }
  const failure = { code: null, errorType: 'interrupted', nextAttemptAt } as const
  const goesOn = nextAttemptAt !== null && !isTooOld(createdAt, nextAttemptAt)

  return {
    statements: failureStatements(db, fence, failure, now),
    next: goesOn ? { id, at: nextAttemptAt } : null,
  }
}
