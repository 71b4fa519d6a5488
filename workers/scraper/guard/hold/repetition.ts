import { type Instant, MINUTE_MS } from '../../../../shared/argentine-time.ts'
import type { Candidate } from '../../pairs/candidate.ts'
import type { Assessment } from '../assessment.ts'
import { ABOUT_SPREAD } from '../select/agreement.ts'
import { distance, type Level, stepOf, widest } from '../observe/levels.ts'
import { type Limits, limitsOf } from '../rules/limits.ts'
import type { HoldMemory } from '../observe/memory.ts'
import { isNearby } from '../rules/jump.ts'

/** Cycles in which one source alone must say a value before it is believed: 1 h 50 min of them. */
const ENOUGH = 22

/** For a step of up to twice the usual one that no live source contradicts: just under an hour. */
const ENOUGH_FOR_SMALL = 12
const SMALL = 2

const CYCLE_MS = 5 * MINUTE_MS
const MOST_CYCLES_A_TIME = 6

/** A held value may be revised by this share of its step and still count as the same one. */
const REVISION = 0.35

/** A hold survives this many cycles in which its source was not heard. */
const MOST_SILENT = 12

/** Counts a suspicious value: again, when it stays near the held level. */
export function countHold(
  hold: HoldMemory | null,
  { candidate, suspicion, baseline }: Assessment,
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
    small: baseline !== null && isSmallStep(baseline, candidate, limitsOf(candidate.pair)),
    heardAt: now,
  }
  const again = hold?.source === source && isRevision(hold, candidate, baseline)
  if (!again) return { ...held, since: now, cycles: 1 }

  return {
    ...held,
    small: held.small || hold.small,
    since: hold.since,
    cycles: Math.min(hold.cycles + cyclesSince(hold.heardAt, now), 100_000),
  }
}

/**
 * A genuine move is revised while it lasts: by a usual range, by a part of its own step, or further
 * the same way.
 */
function isRevision(hold: HoldMemory, candidate: Candidate, baseline: Level | null): boolean {
  const limits = limitsOf(candidate.pair)
  const step = baseline ? widest(baseline, candidate) : 0
  const revised = widest(hold, candidate)
  return (
    isNearby(hold, candidate, limits) ||
    revised <= REVISION * step ||
    (revised <= SMALL * stepOf(limits.jump) && isOnSameSide(hold, candidate, baseline))
  )
}

function isOnSameSide(hold: Level, candidate: Level, baseline: Level | null): boolean {
  return baseline !== null && hold.sell > baseline.sell === candidate.sell > baseline.sell
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
export function isRepeated(
  { cycles, reason, small }: HoldMemory,
  { isContradicted }: Pick<Assessment, 'isContradicted'>,
): boolean {
  const isPlain = !isContradicted && !ABOUT_SPREAD.includes(reason)
  return cycles >= (isPlain && small ? ENOUGH_FOR_SMALL : ENOUGH)
}

/** Less than twice the usual step; banks' buy has more room. */
function isSmallStep(from: Level, to: Level, { jump, buyRoom }: Limits): boolean {
  const small = SMALL * stepOf(jump)
  return (
    Math.abs(distance(from.sell, to.sell)) < small &&
    Math.abs(distance(from.buy, to.buy)) < small * Math.min(buyRoom, 2)
  )
}

/** The candidate that a hold remembers, for a cycle in which its source was not heard. */
export function heldCandidate(hold: HoldMemory, pair: Candidate['pair']): Candidate {
  const { source, provenance, sameDefinition, buy, sell } = hold
  return { pair, source, provenance, sameDefinition, buy, sell }
}
