import type { SweepMessage } from '../../../shared/webhooks/delivery.ts'
import { findStale, staleDeliveriesOf } from '../db/stale.ts'
import { type DueMail, findDueMails } from '../db/alert-mails.ts'
import { findUnsent, type Notice } from '../db/notices.ts'
import { isTooOld } from '../../../shared/db/deliveries/open.ts'
import { findOldest, findOldFirings, PRUNE_CHUNK, pruneChunk, pruneFirings } from '../db/prune.ts'
import { findOwing } from '../../../shared/db/deliveries/owed-syncs.ts'
import { Budget, type Limits, SWEEP_LIMITS } from './budget.ts'
import { log, logFailure } from '../../../shared/log.ts'
import { sendNotices, type SendMail } from './notices.ts'
import { sendAlertMails } from './alert-mails.ts'
import { reconcile, type ReconcileDeps, STALE_AT_ONCE } from './reconcile.ts'
import { resume } from './resume.ts'
import type { Instant } from '../../../shared/argentine-time.ts'

export interface SweepDeps extends ReconcileDeps {
  /** Whether new deliveries for user webhooks are made (decision 21: while admission is closed). */
  isAdmissionOpen: boolean
  /** Null where no e-mail can be sent. */
  sendMail: SendMail | null
  /** Where people find their account; null where none is configured. */
  publicOrigin: string | null
  /** Asks for another sweep at once. */
  sweepAgain: (message: SweepMessage) => Promise<unknown>
  /** Narrower only in tests. */
  limits?: Limits
}

/** Notices of one sweep. Mail providers dislike bursts. */
const NOTICES = 5

/** Alerts whose e-mails one sweep sends. */
const ALERT_MAILS = 20

/** Chunks that one sweep deletes: 2,000 rows a minute, far more than are made. */
export const CHUNKS = 4

/**
 * Finds, in one round trip, what no message brings: stale deliveries, owed syncs, webhooks that wait
 * for capacity, e-mails to send, rows past their days. With nothing to do it writes nothing.
 * A step that fails is logged and tried again by the next sweep. What is too much for one
 * invocation goes on in another at once.
 */
export async function sweep(deps: SweepDeps): Promise<void> {
  const { db, now, isAdmissionOpen, capacity, sendMail } = deps
  const budget = new Budget(now, deps.limits ?? SWEEP_LIMITS)
  const nothing = db.prepare('select 1 where 0')
  const [stale, oldest, owing, unsent, mails, firings] = (await db.batch(
    budget.spend([
      findStale(db, now(), STALE_AT_ONCE),
      findOldest(db),
      isAdmissionOpen ? findOwing(db, capacity) : nothing,
      sendMail ? findUnsent(db, now(), NOTICES) : nothing,
      sendMail ? findDueMails(db, now(), ALERT_MAILS) : nothing,
      findOldFirings(db, now()),
    ]),
  )) as [D1Result, D1Result, D1Result, D1Result, D1Result, D1Result]
  const oldestAt = (oldest.results[0] as { created_at: Instant } | undefined)?.created_at
  const isPast = oldestAt !== undefined && isTooOld(oldestAt, now())

  const goesOn = [
    await step('reconcile', stale.results.length > 0, () =>
      reconcile(deps, staleDeliveriesOf(stale), budget),
    ),
    await step('prune', isPast, () => prune(deps)),
    await step('prune_firings', firings.results.length > 0, () => pruneFirings(db, now())),
    await step('notices', unsent.results.length > 0, () =>
      sendNotices(deps, sendMail!, unsent.results as Notice[]),
    ),
    await step('alert_mails', mails.results.length > 0, () =>
      sendAlertMails(deps, sendMail!, mails.results as unknown as DueMail[]),
    ),
    await step('resume', owing.results.length > 0, () => resume(deps, budget)),
  ]
  // If this fails too, the next minute's sweep goes on.
  if (goesOn.includes(true))
    await step('again', true, () => deps.sweepAgain({ v: 1, sweep: true }).then(() => false))
}

/** Deletes rows past their seven days, with admission open or closed. */
async function prune({ db, now }: { db: D1Database; now: () => Instant }): Promise<void> {
  let pruned = 0
  for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
    const deleted = await pruneChunk(db, now())
    pruned += deleted
    if (deleted < PRUNE_CHUNK) break
  }
  log('pruned', { rows: pruned })
}

/** Returns whether it left something for another invocation. */
async function step(
  name: string,
  isNeeded: boolean,
  work: () => Promise<boolean | void>,
): Promise<boolean> {
  if (!isNeeded) return false
  try {
    return (await work()) ?? false
  } catch (error) {
    logFailure('sweep_step_failed', error, { step: name })
    return false
  }
}
