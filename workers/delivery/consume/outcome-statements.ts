import type { Instant } from '../../../shared/argentine-time.ts'
import { releaseStatements } from '../db/release.ts'
import { deliveredStatements, failureStatements } from '../../../shared/db/deliveries/settle.ts'
import { releaseDelayMs, retryDelayMs, type Waits } from '../../../shared/webhooks/retry.ts'
import type { CompletedAttempt } from '../attempt/attempt.ts'

export interface Schedule {
  waits: Waits
  random: () => number
}

/** The statements that write how attempts ended, and when the next ones are due. */
export function outcomeStatements(
  db: D1Database,
  completed: readonly CompletedAttempt[],
  schedule: Schedule,
  now: Instant,
): D1PreparedStatement[] {
  const delivered = completed.flatMap(({ claim, outcome }) =>
    outcome.status === 'delivered' ? [{ claim, code: outcome.code }] : [],
  )
  return [
    ...(delivered.length > 0 ? deliveredStatements(db, delivered, now) : []),
    ...completed.flatMap((one) => notDelivered(db, one, schedule, now)),
  ]
}

function notDelivered(
  db: D1Database,
  { claim, outcome }: CompletedAttempt,
  { waits, random }: Schedule,
  now: Instant,
): D1PreparedStatement[] {
  switch (outcome.status) {
    case 'delivered':
      return []
    case 'failed': {
      const { code, errorType, retryAfterSeconds } = outcome
      const attempt = claim.attempts - claim.attemptsBefore
      const delay = retryDelayMs(waits, attempt, random, retryAfterSeconds)
      return failureStatements(
        db,
        claim,
        { code, errorType, nextAttemptAt: after(now, delay) },
        now,
      )
    }
    case 'released': {
      const delay = releaseDelayMs(waits, claim.releases + 1, random)
      const { errorType } = outcome
      return releaseStatements(db, claim, { errorType, nextAttemptAt: after(now, delay) }, now)
    }
    case 'returned':
      return releaseStatements(db, claim, { errorType: null, nextAttemptAt: now }, now)
  }
}

function after(now: Instant, delayMs: number | null): Instant | null {
  return delayMs === null ? null : now + delayMs
}
