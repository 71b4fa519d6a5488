import type { Claim } from '../../../shared/db/deliveries/claim.ts'
import { attempt, type AttemptDeps } from './attempt.ts'
import type { Connections } from './connections.ts'
import { log, nameOf } from '../../../shared/log.ts'
import { released } from './outcome.ts'
import type { Ended } from '../consume/outcome-statements.ts'

/** Sends one claimed delivery; how it ended is the caller's to write. Never rejects. */
export async function work(
  deps: AttemptDeps,
  claim: Claim,
  connections: Connections,
): Promise<Ended> {
  const { now } = deps
  const startedAt = now()
  try {
    const outcome = await attempt(deps, claim, connections)
    return { claim, outcome, startedAt, endedAt: now() }
  } catch (error) {
    // Not foreseen, so not the receiver's fault; bounded like every fault of our own.
    log('attempt_broke', { delivery: claim.deliveryId, error: nameOf(error) })
    return { claim, outcome: released('interrupted'), startedAt, endedAt: now() }
  }
}
