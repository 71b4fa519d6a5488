import type { Claim } from '../../shared/db/delivery/claim.ts'
import type { Settled } from '../../shared/db/delivery/settled.ts'
import type { DeliveryQueue } from './announce.ts'
import { attempt, type AttemptDeps } from './attempt.ts'
import type { Connections } from './connections.ts'
import type { InFlight } from './in-flight.ts'
import { log, nameOf } from './log.ts'
import { type Outcome, released } from './outcome.ts'
import { record, type Schedule } from './record.ts'

export interface WorkDeps extends AttemptDeps, Schedule {
  db: D1Database
  queue: DeliveryQueue
  inFlight: InFlight
  sleep: (ms: number) => Promise<void>
}

/**
 * Pauses between tries to write an outcome. The statements are fenced, so a try whose answer was
 * lost does no harm; after the last one the lease runs out and the sweeper counts the attempt.
 */
const SETTLE_PAUSES_MS = [200, 1000, 3000]

/** Sends one claimed delivery and writes how it ended. What comes next is the caller's to do. */
export async function work(
  deps: WorkDeps,
  claim: Claim,
  connections: Connections,
): Promise<Settled['next']> {
  const { now, inFlight } = deps
  const outcome = await inFlight.during(claim.origin, () => tryOnce(deps, claim, connections))
  const ms = now() - claim.claimedAt

  const settled = await settleStubbornly(deps, claim, outcome)
  log('attempt', {
    delivery: claim.deliveryId,
    webhook: claim.webhookId,
    type: claim.type,
    attempt: claim.attempts,
    outcome: outcome.status,
    code: 'code' in outcome ? outcome.code : null,
    error: 'errorType' in outcome ? outcome.errorType : null,
    status: settled?.status ?? null,
    ms,
  })
  return settled?.next ?? null
}

async function tryOnce(deps: WorkDeps, claim: Claim, connections: Connections): Promise<Outcome> {
  try {
    return await attempt(deps, claim, connections)
  } catch (error) {
    // Not foreseen, so not the receiver's fault; bounded like every fault of our own.
    log('attempt_broke', { delivery: claim.deliveryId, error: nameOf(error) })
    return released('interrupted')
  }
}

async function settleStubbornly(
  { db, now, sleep, waits, random }: WorkDeps,
  claim: Claim,
  outcome: Outcome,
): Promise<Settled | null> {
  for (const pause of [0, ...SETTLE_PAUSES_MS]) {
    if (pause > 0) await sleep(pause)
    try {
      return await record(db, claim, outcome, { waits, random }, now())
    } catch (error) {
      log('settle_failed', { delivery: claim.deliveryId, error: nameOf(error) })
    }
  }
  return null
}
