import { findDueForLook, lookedAtOf } from '../../shared/db/delivery/look.ts'
import { findUnsent, type Notice } from '../../shared/db/delivery/notices.ts'
import { findOldest, isExpired } from '../../shared/db/delivery/prune.ts'
import { findOwedSync } from '../../shared/db/delivery/owed-syncs.ts'
import { findRecoverable } from '../../shared/db/delivery/recovery.ts'
import type { Schedule } from './record.ts'
import { log, nameOf } from './log.ts'
import { sendNotices, type SendMail } from './notices.ts'
import { prune } from './prune.ts'
import { lookAfter } from './look-after.ts'
import { makeSyncs, recover, type SyncDeps } from './syncs.ts'
import type { Instant } from '../../shared/argentine-time.ts'

export interface SweepDeps extends Schedule, SyncDeps {
  /** Whether new deliveries for user webhooks are made (decision 21). */
  isAdmissionOpen: boolean
  /** Null where no e-mail can be sent. */
  sendMail: SendMail | null
}

/** What one sweep may do of each kind: a backlog is worked off, never poured out at once. */
const LIMITS = { look: 200, recover: 20, syncs: 20, notices: 5 }

/**
 * Finds, in one round trip, what no message will bring: rows that nobody announced, leases that ran
 * out, syncs owed, webhooks that wait for capacity, notices to send, rows past their seven days.
 * With nothing to do nothing is written. Every step stands on its own: one that fails is logged
 * and tried again by the next sweep.
 */
export async function sweep(deps: SweepDeps): Promise<void> {
  const { db, now, isAdmissionOpen, capacity, sendMail } = deps
  const nothing = db.prepare('select 1 where 0')
  const [look, oldest, recoverable, owed, unsent] = (await db.batch([
    findDueForLook(db, now(), LIMITS.look),
    findOldest(db),
    isAdmissionOpen ? findRecoverable(db, capacity, LIMITS.recover) : nothing,
    isAdmissionOpen ? findOwedSync(db) : nothing,
    sendMail ? findUnsent(db, now(), LIMITS.notices) : nothing,
  ])) as [D1Result, D1Result, D1Result, D1Result, D1Result]

  const oldestAt = (oldest.results[0] as { created_at: Instant } | undefined)?.created_at
  const recovered = (recoverable.results as { id: string }[]).map(({ id }) => id)

  await step('look', look.results.length > 0, () => lookAfter(deps, lookedAtOf(look)))
  await step('prune', oldestAt !== undefined && isExpired(oldestAt, now()), () => prune(deps))
  await step('recover', recovered.length > 0, () => recover(deps, recovered))
  await step('syncs', owed.results.length + recovered.length > 0, () =>
    makeSyncs(deps, LIMITS.syncs),
  )
  await step('notices', unsent.results.length > 0, () =>
    sendNotices(deps, sendMail!, unsent.results as Notice[]),
  )
}

async function step(name: string, isNeeded: boolean, work: () => Promise<void>): Promise<void> {
  if (!isNeeded) return
  try {
    await work()
  } catch (error) {
    log('sweep_step_failed', { step: name, error: nameOf(error) })
  }
}
