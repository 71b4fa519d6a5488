/**
 * The guard: between what sources say and what is published. Pure: it knows no clock, no network
 * and no table.
 */
import { conclude, nothingAsked } from './conclude.ts'
import type { AcceptInput, Decision } from './decision.ts'
import { freeAccepted, freeAgreed } from './select/free.ts'
import { hear } from './observe/hear.ts'
import { isFreedByRepetition, nextHold, toHold } from './hold/hold.ts'
import { judge, type JudgeContext } from './judged.ts'
import { recall } from './observe/memory.ts'
import { undoCorrected } from './observe/undo.ts'
import { isPositiveAndFinite } from './rules/positive-and-finite.ts'
import { chooseSpeaker } from './select/speaker.ts'
import { giveTurn } from './select/turn.ts'
import type { Candidate } from '../pairs/candidate.ts'

export type { AcceptInput, Current, Decision, Held, MarketValue, OperatorWord } from './decision.ts'
export { type GuardMemory, lastWords } from './observe/memory.ts'

/**
 * What to publish of a pair in this cycle. A candidate passes the rules (accept/rules.ts), or an
 * independent source, an operator or repetition frees it; the source whose turn it is speaks; what
 * it says is news, or it confirms the value in effect.
 */
export function accept(input: AcceptInput): Decision {
  const { pair, current, market = [], operator, now } = input
  const stored = recall(input.memory)
  if (input.candidates.length === 0 && input.failed.length === 0) return nothingAsked(input, stored)

  const candidates = usable(input.candidates)
  const failed = [...input.failed, ...unusable(input.candidates)]
  const known = undoCorrected(stored, current)
  const memory = { ...known, sources: hear(known.sources, candidates, now) }
  const context: JudgeContext = { pair, current, memory, market, now }
  const judged = freeAccepted(
    freeAgreed(
      candidates.map((candidate) => judge(candidate, context)),
      memory,
      now,
    ),
    operator,
  )

  const { doubted, ...turn } = chooseSpeaker({ failed, operator }, context, judged)
  const held = doubted ?? toHold(judged, turn.turn, context)
  const hold = nextHold(memory.hold, held, judged, now)
  if (held && hold && isFreedByRepetition(held, hold, context, operator)) {
    const freed = { ...held, freed: true }
    const others = judged.filter(({ candidate }) => candidate.source !== freed.candidate.source)
    return conclude(context, [freed, ...others], giveTurn(freed), null)
  }

  return conclude(context, judged, turn, hold)
}

/** One candidate a source, with numbers that can be prices. */
function usable(candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(
    (candidate, index) =>
      isPositiveAndFinite(candidate) &&
      candidates.findIndex(({ source }) => source === candidate.source) === index,
  )
}

function unusable(candidates: readonly Candidate[]): string[] {
  return candidates
    .filter((candidate) => !isPositiveAndFinite(candidate))
    .map(({ source }) => source)
}
