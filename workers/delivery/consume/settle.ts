import type { Instant } from '../../../shared/argentine-time.ts'
import type { Claims, Wanted } from '../../../shared/db/deliveries/claim.ts'
import { readSettled, type Settled, settleAndClaim } from '../db/settle-and-claim.ts'
import { log, nameOf } from '../../../shared/log.ts'
import type { CompletedAttempt } from '../attempt/attempt.ts'
import { outcomeStatements, type Schedule } from './outcome-statements.ts'

export interface SettleDeps extends Schedule {
  db: D1Database
  now: () => Instant
  sleep: (ms: number) => Promise<void>
}

/** By row id. A row is missing when it was delivered, was no longer ours, or was not written. */
export type SettledRows = Map<number, Settled>

/**
 * Pauses between tries to write an outcome. The statements are fenced, so a try whose answer was
 * lost does no harm. After the last one the lease runs out, and the sweeper counts the attempt.
 */
const SETTLE_PAUSES_MS = [200, 1000, 3000]

/** How often the writing of one outcome is tried on its own, at the most. */
export const MAX_TRIES = 1 + SETTLE_PAUSES_MS.length

/** After so many failures in a row the database is at fault, and the other outcomes wait too. */
const FAILURES_IN_A_ROW = 2

/**
 * Writes outcomes and claims what is wanted next, in one round trip. When it fails, each outcome is
 * written on its own, so none fails for another, and nothing is claimed: `claims` is null. Never
 * rejects, and uses one connection.
 */
export async function settleWithRetries(
  deps: SettleDeps,
  completed: readonly CompletedAttempt[],
  wanted: Wanted,
): Promise<{ settled: SettledRows; claims: Claims | null }> {
  const { db, now } = deps
  const at = now()
  try {
    const settling = outcomeStatements(db, completed, deps, at)
    const answer = await settleAndClaim(db, { settling, wanted }, at)
    return { settled: answer.settled, claims: answer }
  } catch (error) {
    log('settle_failed', { rows: completed.length, error: nameOf(error) })
  }
  return { settled: await settleOneByOne(deps, completed), claims: null }
}

async function settleOneByOne(
  deps: SettleDeps,
  completed: readonly CompletedAttempt[],
): Promise<SettledRows> {
  const settled: [number, Settled][] = []
  let unwritten = completed
  for (const pause of [0, ...SETTLE_PAUSES_MS]) {
    if (unwritten.length === 0) break
    if (pause > 0) await deps.sleep(pause)
    const untried = [...unwritten]
    const failed: CompletedAttempt[] = []
    for (let inARow = 0; untried.length > 0 && inARow < FAILURES_IN_A_ROW;) {
      const one = untried.shift()!
      const written = await settleAlone(deps, one)
      inARow = written ? 0 : inARow + 1
      if (written) settled.push(...written)
      else failed.push(one)
    }
    unwritten = [...untried, ...failed]
  }
  return new Map(settled)
}

/** Null: the database failed. */
async function settleAlone(
  { db, now, ...schedule }: SettleDeps,
  completed: CompletedAttempt,
): Promise<SettledRows | null> {
  const at = now()
  const { id, deliveryId } = completed.claim
  // Read back: an earlier try whose answer was lost may have written it.
  const settling = [...outcomeStatements(db, [completed], schedule, at), readSettled(db, id)]
  try {
    return (await settleAndClaim(db, { settling }, at)).settled
  } catch (error) {
    log('settle_failed', { delivery: deliveryId, error: nameOf(error) })
    return null
  }
}
