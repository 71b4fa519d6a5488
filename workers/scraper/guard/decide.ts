import type { Candidate } from '../pairs/candidate.ts'
import { confirms } from './select/consistency.ts'
import type { AcceptInput, Decision, Held } from './decision.ts'
import type { Assessment, AssessmentContext } from './assessment.ts'
import { limitsOf } from './rules/limits.ts'
import type { GuardMemory, HoldMemory } from './observe/memory.ts'
import { isChange } from './change.ts'
import { rebase } from './observe/basis.ts'
import { forgetDisproved, learnCalm, learnSpreads, noteLeftBehind } from './observe/learn.ts'
import { isNotable, keepCheckpoint, undoReturned } from './observe/undo.ts'
import { heldCandidate } from './hold/repetition.ts'
import type { Activation } from './select/active-source.ts'

/** The decision, once the active reading and the hold are known. */
export function decide(
  context: AssessmentContext,
  assessed: readonly Assessment[],
  { activeSource, activeReading }: Activation,
  hold: HoldMemory | null,
): Decision {
  const { pair, current } = context
  const isPublished =
    activeReading && isChange(activeReading, context, activeSource?.anchor ?? null)
  const publish = isPublished ? activeReading.candidate : null
  const isHeld = hold !== null
  const heard = learnSpreads(assessed, noteLeftBehind(assessed, context.memory))
  const learned = publish
    ? afterPublishing(publish, heard, context)
    : activeReading && !isHeld
      ? learnCalm(
          assessed,
          activeReading.cleared ? forgetDisproved([activeReading], heard) : heard,
          context,
        )
      : heard

  return {
    publish,
    confirmed: activeReading !== null || assessed.some(confirms),
    held: heldOf(hold, pair),
    source: activeSource?.source ?? null,
    needsFallback: !activeReading || isHeld || (!current && standsAlone(assessed)),
    memory: {
      ...learned,
      activeSource: activeSource && (publish ? { ...activeSource, anchor: null } : activeSource),
      hold,
      restlessAt: isHeld ? context.now : learned.restlessAt,
      inEffect: levelOf(publish ?? current),
    },
  }
}

/** What is known once a value is published: in its source's terms, and without what it undoes. */
function afterPublishing(
  publish: Candidate,
  heard: GuardMemory,
  { pair, current, now }: AssessmentContext,
): GuardMemory {
  if (!current) return { ...heard, definedBy: publish.source }

  const limits = limitsOf(pair)
  const memory = undoReturned(heard, current, publish, now)
  return {
    ...memory,
    sources: rebase(memory.sources, memory.definedBy ?? current.source, publish.source, pair),
    definedBy: publish.source,
    restlessAt: isNotable(current, publish, limits) ? now : memory.restlessAt,
    checkpoint: keepCheckpoint(memory, current, publish, limits, now),
  }
}

function standsAlone(assessed: readonly Assessment[]): boolean {
  return new Set(assessed.map(({ candidate }) => candidate.provenance)).size < 2
}

function levelOf(value: { buy: number; sell: number } | null) {
  return value && { buy: value.buy, sell: value.sell }
}

/** A cycle in which no source of the pair was due: everything stays as it is. */
export function nothingAsked({ pair }: AcceptInput, memory: GuardMemory): Decision {
  const { hold, activeSource } = memory
  return {
    publish: null,
    confirmed: false,
    held: heldOf(hold, pair),
    source: activeSource?.source ?? null,
    needsFallback: false,
    memory,
  }
}

function heldOf(hold: HoldMemory | null, pair: AcceptInput['pair']): Held | null {
  return hold ? { candidate: heldCandidate(hold, pair), reason: hold.reason } : null
}
