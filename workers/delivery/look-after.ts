import type { Instant } from '../../shared/argentine-time.ts'
import { cancelMisfits } from '../../shared/db/delivery/cancel.ts'
import { lookAgainAt, type LookedAt } from '../../shared/db/delivery/look.ts'
import { failureStatements } from '../../shared/db/delivery/settle.ts'
import { retryDelayMs } from '../../shared/retry.ts'
import { announce } from './announce.ts'
import { log } from './log.ts'
import type { SweepDeps } from './sweep.ts'

/** What is done with a row that the sweeper looks at. */
type Verdict =
  | { kind: 'expire' }
  | { kind: 'cancel' }
  | { kind: 'announce' }
  | { kind: 'wait'; until: Instant }

/** Expires leases, announces what is due, and puts off what is not its turn. */
export async function lookAfter(deps: SweepDeps, rows: readonly LookedAt[]): Promise<void> {
  const { db, queue, now } = deps
  const at = now()
  const judged = rows.map((row) => ({ row, verdict: judge(row, at) }))
  const rowsOf = (kind: Verdict['kind']) =>
    judged.filter(({ verdict }) => verdict.kind === kind).map(({ row }) => row)

  const expired = rowsOf('expire').map((row) => expire(deps, row, at))
  const misfits = rowsOf('cancel').map(({ id }) => id)
  const due = rowsOf('announce').map(({ id }) => ({ id, at }))
  const waiting = judged.flatMap(({ row, verdict }) =>
    verdict.kind === 'wait' ? [{ id: row.id, at: verdict.until }] : [],
  )

  const statements = [
    ...expired.flatMap(({ statements }) => statements),
    ...(misfits.length > 0 ? cancelMisfits(db, misfits, at) : []),
  ]
  if (statements.length > 0) await db.batch(statements)

  // Marked before they are sent: a queue that fails half way must not see them all again at once.
  await lookAgainAt(db, [...due, ...waiting])
  const again = expired.flatMap(({ next }) => (next ? [next] : []))
  await announce(queue, [...due, ...again], at)
  log('sweep', { due: due.length, expired: expired.length, cancelled: misfits.length })
}

function judge(row: LookedAt, now: Instant): Verdict {
  if (row.status === 'sending')
    return row.leaseUntil! <= now ? { kind: 'expire' } : { kind: 'wait', until: now }
  if (!row.fits) return { kind: 'cancel' }
  if (row.nextAttemptAt > now) return { kind: 'wait', until: row.nextAttemptAt }
  if (row.type === 'manual' || row.head === null || row.head.id >= row.id)
    return { kind: 'announce' }

  // Behind another: not before that one is tried again, and announced when it ends.
  const isInBackoff = row.head.status === 'failed' && row.head.nextAttemptAt > now
  return { kind: 'wait', until: isInBackoff ? row.head.nextAttemptAt : now }
}

/** The attempt may have reached the receiver, so it counts; not towards the ten (decision 23). */
function expire({ db, waits, random }: SweepDeps, row: LookedAt, now: Instant) {
  const delay = retryDelayMs(waits, row.attempts, random)
  const nextAttemptAt = delay === null ? null : now + delay
  const fence = { id: row.id, token: row.token!, webhookId: row.webhookId, type: row.type }
  const failure = { code: null, errorType: 'interrupted', nextAttemptAt } as const

  return {
    statements: failureStatements(db, fence, failure, now),
    next: nextAttemptAt === null ? null : { id: row.id, at: nextAttemptAt },
  }
}
