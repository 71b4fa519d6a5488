import { agrees, witnessOf } from './agreement.ts'
import { isGood, type Assessment } from '../assessment.ts'
import { distance } from '../observe/levels.ts'
import type { HoldMemory } from '../observe/memory.ts'
import type { Rule } from '../rules/rule.ts'

/** Sources of a first value may differ by their definitions, not by more than this. */
const ALIKE = 0.1

/** Cycles after which the preferred source is believed although another one differs. */
const SETTLED_AFTER = 3

/** Independent sources of a pair that was never quoted contradict each other. */
const unsettled: Rule = { name: 'unsettled', release: 'repetition', suspects: () => true }

/**
 * The candidate to start a pair with: the first that an independent source supports, or the first
 * when it stands alone. When sources differ, the first is doubted for a few cycles.
 */
export function firstValue(
  assessed: readonly Assessment[],
  hold: HoldMemory | null,
): { activeReading: Assessment | null; heldBack: Assessment | null } {
  const good = assessed.filter(isGood)
  const supported = good.find((one) => good.some((other) => supports(one, other)))
  const first = supported ?? good[0]
  if (!first) return { activeReading: null, heldBack: null }

  const standsAlone = good.every(({ candidate }) => isSameOrigin(candidate, first.candidate))
  const isSettled = hold?.reason === unsettled.name && hold.cycles >= SETTLED_AFTER - 1
  if (supported || standsAlone || isSettled) return { activeReading: first, heldBack: null }

  return { activeReading: null, heldBack: { ...first, suspicion: unsettled } }
}

function supports(one: Assessment, other: Assessment): boolean {
  const isNear = Math.abs(distance(one.candidate.sell, other.candidate.sell)) <= ALIKE
  return (
    !isSameOrigin(one.candidate, other.candidate) &&
    (isNear || agrees(one, witnessOf(other.source)))
  )
}

function isSameOrigin(one: { provenance: string }, other: { provenance: string }): boolean {
  return one.provenance === other.provenance
}
