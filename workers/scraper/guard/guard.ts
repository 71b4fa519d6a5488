/**
 * The guard: between what sources say and what is published. Pure: it knows no clock, no network
 * and no table.
 */
import { decide, nothingAsked } from './decide.ts'
import type { AcceptInput, Decision } from './decision.ts'
import { clearAgreed, clearBorneOut, clearOverridden } from './select/clear.ts'
import { observe } from './observe/observe.ts'
import { isFreedByRepetition, nextHold, toHold } from './hold/hold.ts'
import { assess, type AssessmentContext } from './assessment.ts'
import { MOST_SOURCES, recall } from './observe/memory.ts'
import { undoCorrected } from './observe/undo.ts'
import { isPositiveAndFinite } from './rules/positive-and-finite.ts'
import { chooseActiveReading } from './select/active-reading.ts'
import { activate } from './select/active-source.ts'
import type { Candidate } from '../pairs/candidate.ts'

export type { AcceptInput, Current, Decision, MarketValue, Override } from './decision.ts'
export { type GuardMemory, lastWords } from './observe/memory.ts'

/**
 * Decides what to publish of a pair in this cycle. A candidate passes the rules (rules/rules.ts), or
 * an independent source, an override or repetition clears it. The active source's reading is a
 * change, or confirms the value in effect.
 */
export function accept(input: AcceptInput): Decision {
  const { pair, current, market = [], override, now } = input
  const stored = recall(input.memory)
  if (input.candidates.length === 0 && input.failed.length === 0) return nothingAsked(input, stored)

  const candidates = usable(input.candidates)
  const failed = [...input.failed, ...unusable(input.candidates)]
  const known = undoCorrected(stored, current)
  const memory = { ...known, sources: observe(known.sources, candidates, now) }
  const context: AssessmentContext = { pair, current, memory, market, now }
  const heard = candidates.map((candidate) => assess(candidate, context))
  const agreed = clearBorneOut(clearAgreed(heard, memory, now), context)
  const assessed = clearOverridden(agreed, override)

  const { heldBack, ...activeSource } = chooseActiveReading({ failed, override }, context, assessed)
  const held = heldBack ?? toHold(assessed, activeSource.activeSource, context)
  const hold = nextHold(memory.hold, held, assessed, now)
  if (held && hold && isFreedByRepetition(held, hold, context, override)) {
    const cleared = { ...held, cleared: true }
    const others = assessed.filter(({ candidate }) => candidate.source !== cleared.candidate.source)
    return decide(context, [cleared, ...others], activate(cleared), null)
  }

  return decide(context, assessed, activeSource, hold)
}

/** One candidate a source, with numbers that can be prices, of as many sources as memory holds. */
function usable(candidates: readonly Candidate[]): Candidate[] {
  return candidates
    .filter(
      (candidate, index) =>
        isPositiveAndFinite(candidate) &&
        candidates.findIndex(({ source }) => source === candidate.source) === index,
    )
    .slice(0, MOST_SOURCES)
}

function unusable(candidates: readonly Candidate[]): string[] {
  return candidates
    .filter((candidate) => !isPositiveAndFinite(candidate))
    .map(({ source }) => source)
}
