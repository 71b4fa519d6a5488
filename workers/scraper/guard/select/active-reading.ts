import { agrees, witnessOf } from './agreement.ts'
import { confirms } from './consistency.ts'
import type { AcceptInput } from '../decision.ts'
import { firstValue } from './first-value.ts'
import { clearAgreed, isOverride } from './clear.ts'
import { type Assessment, type AssessmentContext, plainSuspicion } from '../assessment.ts'
import type { GuardMemory } from '../observe/memory.ts'
import { isChange } from '../change.ts'
import { isBasisKnown } from '../observe/basis.ts'
import { jump } from '../rules/jump.ts'
import type { Rule } from '../rules/rule.ts'
import { activate, nextActive, type Activation } from './active-source.ts'

export interface Choice extends Activation {
  /** A candidate to hold although no rule suspects it by itself. */
  heldBack: Assessment | null
}

/** Chooses the reading that may be published: an accepted one, a first value, or the active source's. */
export function chooseActiveReading(
  { failed, override }: Pick<AcceptInput, 'failed' | 'override'>,
  context: AssessmentContext,
  assessed: readonly Assessment[],
): Choice {
  const { current, memory } = context
  const accepted = assessed.find((one) => one.suspicion && isOverride(override, 'accepted', one))
  if (accepted) return { ...activate(accepted), heldBack: null }

  if (!current) {
    const { activeReading, heldBack } = firstValue(assessed, memory.hold)
    return {
      ...(activeReading ? activate(activeReading) : { activeSource: null, activeReading }),
      heldBack,
    }
  }

  const overruled = isOverruled(assessed, memory)
  return holdBackUnexplained(
    nextActive(memory.activeSource, { assessed, failed, current, overruled }),
    context,
  )
}

/**
 * A known basis explains why a source stands apart, but does not permit to publish its reading. A
 * change must also be in range of the value in effect, or an independent source must confirm it.
 */
function holdBackUnexplained(
  { activeSource, activeReading }: Activation,
  context: AssessmentContext,
): Choice {
  const { current, memory, now } = context
  if (
    !activeReading ||
    !current ||
    activeReading.cleared ||
    !isChange(activeReading, context, activeSource?.anchor ?? null)
  ) {
    return { activeSource, activeReading, heldBack: null }
  }
  const suspicion = plainSuspicion(activeReading.candidate, context)
  if (!suspicion || isExplained(suspicion, activeReading))
    return { activeSource, activeReading, heldBack: null }

  const [heldBack] = clearAgreed([{ ...activeReading, baseline: current, suspicion }], memory, now)
  return heldBack!.cleared
    ? { activeSource, activeReading: heldBack!, heldBack: null }
    : { activeSource, activeReading: null, heldBack: heldBack! }
}

/** A basis is capped for sources of the pair's definition: it accounts for a step beyond the usual. */
function isExplained({ name }: Rule, { candidate, source }: Assessment): boolean {
  return name === jump.name && candidate.sameDefinition && isBasisKnown(source.usual)
}

/** Whether two independent sources agree on a new value while the active source says the old one. */
function isOverruled(assessed: readonly Assessment[], { activeSource }: GuardMemory): boolean {
  const inUse = assessed.find(({ candidate }) => candidate.source === activeSource?.source)
  if (!inUse || !confirms(inUse)) return false

  return assessed.some((one) => one.cleared && !agrees(one, witnessOf(inUse.source)))
}
