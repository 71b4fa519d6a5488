import { findOwedSyncs, resumeWebhooks } from '../../../shared/db/deliveries/insert.ts'
import { SECOND_MS } from '../../../shared/argentine-time.ts'
import { withDeadline } from '../../../shared/deadline.ts'
import { namedBatch } from '../../../shared/db/named-batch.ts'
import { log, logFailure } from '../../../shared/log.ts'
import type { SendMail } from '../../../shared/mail.ts'
import { enqueue } from '../../../shared/webhooks/enqueue.ts'
import { dropNotices, findDueMails, findNotices } from '../db/mails.ts'
import { findStale, PRUNED_AT_ONCE, pruneStatements } from '../db/sweep.ts'
import { type MailDeps, sendAlertMails } from './alert-mails.ts'
import { sendNotices } from './notices.ts'
import { reconcile, type ReconcileDeps } from './reconcile.ts'

export interface SweepDeps extends ReconcileDeps, MailDeps {
  /** Whether users' webhooks get new deliveries (decision 21: closed admission). */
  isAdmissionOpen: boolean
  /** Null when e-mail is not configured. */
  sendMail: SendMail | null
  /** Requests another sweep at once. */
  sweepAgain: () => Promise<unknown>
  /** Milliseconds that a task may take; shorter only in tests. */
  taskMs?: number
}

/** A task is abandoned after this time, so that a task that hangs does not delay the others. */
const TASK_MS = 25 * SECOND_MS

/** Webhooks resumed per sweep, in one transaction, which must not block the database for long. */
const RESUMED_AT_ONCE = 500

/**
 * Finds, in one round trip, the work without a queue message: stale deliveries, owed syncs,
 * webhooks that wait for capacity, e-mails to send. Also deletes rows after seven days, even if
 * admission is closed. Writes nothing without work. Logs a task that fails or hangs; the next sweep
 * repeats it. If a task reaches its limit per sweep, requests another sweep at once.
 */
export async function sweep(deps: SweepDeps): Promise<void> {
  const { db, now, isAdmissionOpen, capacity, sendMail } = deps
  const at = now()
  const found = await namedBatch(db, {
    ...pruneStatements(db, at),
    stale: findStale(db, at),
    owed: isAdmissionOpen ? [findOwedSyncs(db, capacity, RESUMED_AT_ONCE)] : [],
    dropped: sendMail ? [dropNotices(db, at)] : [],
    notices: sendMail ? [findNotices(db, at)] : [],
    mails: sendMail ? [findDueMails(db, at)] : [],
  })
  const owed = found.owed.flatMap(({ results }) => results)
  const notices = found.notices.flatMap(({ results }) => results)
  const mails = found.mails.flatMap(({ results }) => results)
  for (const { subscriptionId } of found.dropped.flatMap(({ results }) => results))
    log('notice_dropped', { webhook: subscriptionId })

  /** Returns whether the task left work for another sweep. */
  async function task<Row>(
    name: string,
    rows: readonly Row[],
    work: (rows: readonly Row[]) => Promise<boolean>,
  ): Promise<boolean> {
    if (rows.length === 0) return false
    try {
      return await withDeadline(deps.taskMs ?? TASK_MS, () => work(rows))
    } catch (error) {
      logFailure('sweep_task_failed', error, { task: name })
      return false
    }
  }

  const goesOn = [
    await task('reconcile', found.stale.results, (rows) => reconcile(deps, rows)),
    await task('resume', owed, (webhooks) => resume(deps, webhooks)),
    await task('notices', notices, (rows) => sendNotices(deps, sendMail!, rows)),
    await task('alert_mails', mails, (rows) => sendAlertMails(deps, sendMail!, rows)),
    found.pruned.results.length === PRUNED_AT_ONCE,
  ]
  // If this message is lost, the next minute's sweep continues.
  if (goesOn.includes(true)) await deps.sweepAgain()
}

/** Inserts owed syncs and resumes suspended webhooks, up to the capacity. */
async function resume(deps: SweepDeps, webhooks: readonly { id: string }[]): Promise<boolean> {
  const ids = webhooks.map(({ id }) => id)
  const made = await resumeWebhooks(deps.db, ids, { now: deps.now(), capacity: deps.capacity })
  log('syncs_made', { syncs: made.length })
  await enqueue(deps, made)
  return made.length > 0 && ids.length === RESUMED_AT_ONCE
}
