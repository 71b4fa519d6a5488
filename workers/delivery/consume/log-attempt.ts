import type { Settled } from '../db/settle-and-claim.ts'
import { log } from '../../../shared/log.ts'
import type { CompletedAttempt } from '../attempt/attempt.ts'

/** Logs an attempt. `status` is what became of a row that was not delivered. */
export function logAttempt(
  { claim, outcome, startedAt, endedAt }: CompletedAttempt,
  settled: Settled | undefined,
): void {
  if (outcome.status === 'returned') return

  log('attempt', {
    delivery: claim.deliveryId,
    webhook: claim.subscriptionId,
    type: claim.type,
    attempt: claim.attempts,
    outcome: outcome.status,
    code: 'code' in outcome ? outcome.code : null,
    error: 'errorType' in outcome ? outcome.errorType : null,
    status: settled?.status ?? null,
    ms: endedAt - startedAt,
  })
}
