import type { Instant } from '../../../shared/argentine-time.ts'
import type { Claims, Wanted } from '../../../shared/db/deliveries/claim.ts'
import { readSettled, type Settled, takeTurn } from '../../../shared/db/deliveries/turn.ts'
import { log, nameOf } from '../../../shared/log.ts'
import { type Ended, record, type Schedule } from './outcome-statements.ts'

export interface SettleDeps extends Schedule {
  db: D1Database
  now: () => Instant
  sleep: (ms: number) => Promise<void>
}

export interface SettledAndClaimed {
  /** By row id; a row is missing when it was delivered, was not ours any more, or was not written. */
  settled: Map<number, Settled>
  /** Null: the database failed and nothing was claimed. */
  claims: Claims | null
}

/**
 * Pauses between tries to write an outcome. The statements are fenced, so a try whose answer was
 * lost does no harm; after the last one the lease runs out and the sweeper counts the attempt.
 */
const SETTLE_PAUSES_MS = [200, 1000, 3000]

/** How often the writing of one outcome is tried on its own, at the most. */
export const MAX_TRIES = 1 + SETTLE_PAUSES_MS.length

/** After so many failures in a row it is the database, and the others wait too. */
const FAILURES_IN_A_ROW = 2

/**
 * Writes how attempts ended and claims what is wanted next, in one round trip. When that fails,
 * each is written on its own, so that none fails for what another one holds, and nothing is
 * claimed. Never rejects, and uses one connection.
 */
export async function settleAndClaim(
  deps: SettleDeps,
  ended: readonly Ended[],
  wanted: Wanted,
): Promise<SettledAndClaimed> {
  const { db, now } = deps
  const at = now()
  try {
    const turn = await takeTurn(db, { settling: record(db, ended, deps, at), wanted }, at)
    return { settled: turn.settled, claims: turn }
  } catch (error) {
    log('settle_failed', { rows: ended.length, error: nameOf(error) })
  }
  return { settled: await settleStubbornly(deps, ended), claims: null }
}

async function settleStubbornly(
  deps: SettleDeps,
  ended: readonly Ended[],
): Promise<Map<number, Settled>> {
  const settled: [number, Settled][] = []
  let unwritten = ended
  for (const pause of [0, ...SETTLE_PAUSES_MS]) {
    if (unwritten.length === 0) break
    if (pause > 0) await deps.sleep(pause)
    const untried = [...unwritten]
    const failed: Ended[] = []
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
  ended: Ended,
): Promise<Map<number, Settled> | null> {
  const at = now()
  // Read back: the try whose answer was lost may have been the one that wrote.
  const settling = [...record(db, [ended], schedule, at), readSettled(db, ended.claim.id)]
  try {
    return (await takeTurn(db, { settling }, at)).settled
  } catch (error) {
    log('settle_failed', { delivery: ended.claim.deliveryId, error: nameOf(error) })
    return null
  }
}
