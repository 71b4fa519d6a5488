import type { Instant } from '../../shared/argentine-time.ts'
import type { Claim } from '../../shared/db/delivery/claim.ts'
import { releaseClaim } from '../../shared/db/delivery/release.ts'
import { settleDelivered, settleFailed } from '../../shared/db/delivery/settle.ts'
import type { Settled } from '../../shared/db/delivery/settled.ts'
import { releaseDelayMs, retryDelayMs, type Waits } from '../../shared/retry.ts'
import type { Outcome } from './outcome.ts'

export interface Schedule {
  waits: Waits
  random: () => number
}

/** Writes how an attempt ended, and when the next one is due. */
export async function record(
  db: D1Database,
  claim: Claim,
  outcome: Outcome,
  { waits, random }: Schedule,
  now: Instant,
): Promise<Settled> {
  switch (outcome.status) {
    case 'delivered':
      return settleDelivered(db, claim, outcome.code, now)
    case 'failed': {
      const { code, errorType, retryAfterSeconds } = outcome
      const delay = retryDelayMs(waits, claim.attempts, random, retryAfterSeconds)
      return settleFailed(db, claim, { code, errorType, nextAttemptAt: after(now, delay) }, now)
    }
    case 'released': {
      const delay = releaseDelayMs(waits, claim.releases + 1, random)
      const { errorType } = outcome
      return releaseClaim(db, claim, { errorType, nextAttemptAt: after(now, delay) }, now)
    }
  }
}

function after(now: Instant, delayMs: number | null): Instant | null {
  return delayMs === null ? null : now + delayMs
}
