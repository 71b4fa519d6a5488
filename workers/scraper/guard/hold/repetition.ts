import { type Instant, MINUTE_MS } from '../../../../shared/argentine-time.ts'
import type { Candidate } from '../../pairs/candidate.ts'
import type { Judged } from '../judged.ts'
import { isSameLevel, type Level, stepOf, widest } from '../observe/levels.ts'
import { type Limits, limitsOf } from '../rules/limits.ts'
import type { HoldMemory } from '../observe/memory.ts'
import { isNearby } from '../rules/jump.ts'

/** Cycles in which one source alone must say a value before it is believed: 1 h 50 min of them. */
const ENOUGH = 22
const FEWEST_CYCLES = 3

const CYCLE_MS = 5 * MINUTE_MS
const MOST_CYCLES_A_TIME = 6

/** A fault stands still where a market moves: a small movement is worth ten silent cycles… */
const WORTH_OF_MOVE = 10

/** …for a step of up to this many usual ranges. A larger one needs its time. */
const MODERATE = 3

/** A hold survives this many cycles in which its source was not heard. */
const MOST_SILENT = 12

/** Counts a suspicious value: again, when it stays at the held level give or take a usual range. */
export function countHold(
  hold: HoldMemory | null,
  { candidate, suspicion }: Judged,
  now: Instant,
): HoldMemory {
  const { source, provenance, sameDefinition, buy, sell } = candidate
  const held = {
    source,
    provenance,
    sameDefinition,
    buy,
    sell,
    reason: suspicion!.name,
    silent: 0,
    heardAt: now,
  }
  const again = hold?.source === source && isNearby(hold, candidate, limitsOf(candidate.pair))
  if (!again) return { ...held, cycles: 1, moves: 0 }

  return {
    ...held,
    cycles: Math.min(hold.cycles + cyclesSince(hold.heardAt, now), 100_000),
    moves: Math.min(hold.moves + (isSameLevel(hold, candidate) ? 0 : 1), 1000),
  }
}

/** A source with a slow rhythm says a thing once for several cycles; a leaping clock proves little. */
function cyclesSince(heardAt: Instant, now: Instant): number {
  return Math.min(Math.max(Math.round((now - heardAt) / CYCLE_MS), 1), MOST_CYCLES_A_TIME)
}

/** A hold whose source was not heard in this cycle; null when it was silent for too long. */
export function silentHold(hold: HoldMemory): HoldMemory | null {
  return hold.silent < MOST_SILENT ? { ...hold, silent: hold.silent + 1 } : null
}

/** Whether a value was said often enough to be believed without a second source. */
export function isRepeated(hold: HoldMemory, baseline: Level | null, limits: Limits): boolean {
  const step = baseline ? widest(baseline, hold) : 0
  const isModerate = hold.reason === 'jump' && step <= MODERATE * stepOf(limits.jump)
  const evidence = hold.cycles + (isModerate ? WORTH_OF_MOVE * hold.moves : 0)

  return hold.cycles >= FEWEST_CYCLES && evidence >= ENOUGH
}

/** The candidate that a hold remembers, for a cycle in which its source was not heard. */
export function heldCandidate(hold: HoldMemory, pair: Candidate['pair']): Candidate {
  const { source, provenance, sameDefinition, buy, sell } = hold
  return { pair, source, provenance, sameDefinition, buy, sell }
}
