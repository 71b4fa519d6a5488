import type { Instant } from '../../../shared/argentine-time.ts'
import { cancelMisfits } from '../../../shared/db/deliveries/cancel.ts'
import { endTooOld } from '../../../shared/db/deliveries/expire.ts'
import {
  findDueForLook,
  lookAgainStatement,
  type LookedAt,
  lookedAtOf,
} from '../../../shared/db/deliveries/look.ts'
import { isTooOld } from '../../../shared/db/deliveries/open.ts'
import { failureStatements } from '../../../shared/db/deliveries/settle.ts'
import { retryDelayMs } from '../../../shared/webhooks/retry.ts'
import { announce, PATIENTLY } from '../../../shared/webhooks/enqueue.ts'
import type { Budget } from './budget.ts'
import { log } from '../../../shared/log.ts'
import type { SweepDeps } from './sweep.ts'

/** What is done with a row that the sweeper looks at. */
type Verdict =
  | { kind: 'interrupt' }
  | { kind: 'end' }
  | { kind: 'cancel' }
  | { kind: 'announce' }
  | { kind: 'wait'; until: Instant }

/** Rows looked at in one round trip: five batches of announcements. */
export const LOOK_AT_ONCE = 500

/** Statements of a lease that ran out. */
const QUERIES_OF_INTERRUPTED = 2

/**
 * Looks after rows, and after as many more as are due while the queue takes their announcements.
 * Returns whether some are left that only another invocation can look after.
 */
export async function lookAfter(
  deps: SweepDeps,
  first: readonly LookedAt[],
  budget: Budget,
): Promise<boolean> {
  const { db, now } = deps
  for (let rows = first; rows.length > 0;) {
    const goesOn = await lookAt(deps, rows, budget)
    if (!goesOn || rows.length < LOOK_AT_ONCE) return false
    if (budget.isSpent) return true

    const [found] = await db.batch(budget.spend([findDueForLook(db, now(), LOOK_AT_ONCE)]))
    rows = lookedAtOf(found!)
  }
  return false
}

/** Expires leases, announces what is due, and puts off what is not its turn. */
async function lookAt(
  deps: SweepDeps,
  rows: readonly LookedAt[],
  budget: Budget,
): Promise<boolean> {
  const { db, now } = deps
  const at = now()
  const judged = rows.map((row) => ({ row, verdict: judge(row, at) }))
  const rowsOf = (kind: Verdict['kind']) =>
    judged.filter(({ verdict }) => verdict.kind === kind).map(({ row }) => row)
  const idsOf = (kind: Verdict['kind']) => rowsOf(kind).map(({ id }) => id)

  // Those for which no query is left are found again.
  const interrupted = rowsOf('interrupt')
    .slice(0, budget.timesLeft(QUERIES_OF_INTERRUPTED))
    .map((row) => interrupt(deps, row, at))
  const [misfits, old] = [idsOf('cancel'), idsOf('end')]
  const due = rowsOf('announce').map(({ id }) => ({ id, at }))
  const waiting = judged.flatMap(({ row, verdict }) =>
    verdict.kind === 'wait' ? [{ id: row.id, at: verdict.until }] : [],
  )

  const statements = [
    ...interrupted.flatMap(({ statements }) => statements),
    ...(misfits.length > 0 ? cancelMisfits(db, misfits, at) : []),
    ...(old.length > 0 ? endTooOld(db, old, at) : []),
  ]
  if (statements.length > 0) await db.batch(budget.spend(statements))

  // Marked before they are sent: a queue that fails half way must not see them all again at once.
  const marked = [...due, ...waiting]
  if (marked.length > 0) await db.batch(budget.spend([lookAgainStatement(db, marked)]))
  const again = interrupted.flatMap(({ next }) => (next ? [next] : []))
  const announced = [...due, ...again]
  const { refused, backlog } = await announce(deps, announced, PATIENTLY)
  log('sweep', {
    due: due.length,
    expired: interrupted.length,
    ended: old.length,
    cancelled: misfits.length,
  })
  // A queue that is down gets no more, nor one in which every row may have its hint already.
  const isDown = refused > 0 && refused === announced.length
  return !isDown && (backlog ?? 0) < deps.capacity
}

function judge(row: LookedAt, now: Instant): Verdict {
  if (row.status === 'sending')
    return row.leaseUntil! <= now ? { kind: 'interrupt' } : { kind: 'wait', until: now }
  if (isTooOld(row.createdAt, now)) return { kind: 'end' }
  if (!row.fits) return { kind: 'cancel' }
  if (row.nextAttemptAt > now) return { kind: 'wait', until: row.nextAttemptAt }
  if (row.type === 'manual' || row.head === null || row.head.id >= row.id)
    return { kind: 'announce' }

  // Behind another: not before that one is tried again, and announced when it ends.
  const isInBackoff = row.head.status === 'failed' && row.head.nextAttemptAt > now
  return { kind: 'wait', until: isInBackoff ? row.head.nextAttemptAt : now }
}

/** The attempt may have reached the receiver, so it counts; not towards the ten (decision 23). */
function interrupt({ db, waits, random }: SweepDeps, row: LookedAt, now: Instant) {
  const delay = retryDelayMs(waits, row.attempts, random)
  const nextAttemptAt = delay === null ? null : now + delay
  const { id, webhookId, type, createdAt } = row
  const fence = { id, token: row.token!, webhookId, type, createdAt }
  const failure = { code: null, errorType: 'interrupted', nextAttemptAt } as const
  const goesOn = nextAttemptAt !== null && !isTooOld(createdAt, nextAttemptAt)

  return {
    statements: failureStatements(db, fence, failure, now),
    next: goesOn ? { id, at: nextAttemptAt } : null,
  }
}
