import { ABOUT_SPREAD } from '../select/agreement.ts'
import type { Assessment, AssessmentContext } from '../assessment.ts'
import { distance, stepOf, widest } from '../observe/levels.ts'
import { limitsOf } from '../rules/limits.ts'
import type { HoldMemory } from '../observe/memory.ts'
import { isBasisKnown, unshifted } from '../observe/basis.ts'
import { offRelatives } from '../observe/relatives.ts'
import { isLive, isPresent } from '../observe/rhythm.ts'
import { inTermsOf } from '../select/witnesses.ts'

/** Much nearer: within this share of the distance. */
const SHARE = 0.4

/** Times the usual step. */
const LARGE = 2

/** Nothing is refuted for longer than this: four hours of cycles. */
const MOST_CYCLES = 48

/**
 * Whether a held value is refuted although it repeats: a live source says the old value, and a
 * second thing speaks against it too. That is its size (a market that moves by twice its usual step
 * moves everywhere), a spread that its own source never had, or the pair's relatives, while the
 * other source showed life since.
 */
export function isRefuted(held: Assessment, hold: HoldMemory, context: AssessmentContext): boolean {
  if (hold.cycles >= MOST_CYCLES) return false
  const isStrange = ABOUT_SPREAD.includes(hold.reason) || isLarge(held)
  if (!isStrange && !areRelativesAgainst(held, context)) return false

  return context.memory.sources.some(
    (witness) =>
      witness.provenance !== held.candidate.provenance &&
      (witness.sameDefinition || isBasisKnown(witness.usual)) &&
      !witness.leftBehind &&
      (isLarge(held) ? isPresent : isLive)(witness, context.now) &&
      (isStrange || (witness.changedAt ?? 0) > hold.since) &&
      isAgainst(held, inTermsOf(held.source, witness)),
  )
}

function isLarge({ candidate, baseline }: Assessment): boolean {
  const step = baseline ? widest(baseline, candidate) : 0
  return step >= LARGE * stepOf(limitsOf(candidate.pair).jump)
}

/** Whether a side that moved is far from what the witness says of it, and the old one near. */
function isAgainst(
  { candidate, baseline }: Assessment,
  said: { buy: number; sell: number },
): boolean {
  if (!baseline) return false

  return (['sell', 'buy'] as const).some((side) => {
    const off = Math.abs(distance(said[side], candidate[side]))
    const floor = limitsOf(candidate.pair).spreadRoom
    return off > floor && Math.abs(distance(said[side], baseline[side])) <= SHARE * off
  })
}

function areRelativesAgainst(
  { source, candidate }: Assessment,
  context: AssessmentContext,
): boolean {
  const { pair, memory, market, now } = context
  const off = offRelatives(unshifted(candidate, source).sell, memory.relatives, market, now)
  return off !== null && Math.abs(off) > stepOf(limitsOf(pair).jump) / 2
}
