/**
 * The guard: between what sources say and what is published. Pure: it knows no clock, no network
 * and no table.
 */
import { HOUR_MS, type Instant } from '../../shared/argentine-time.ts'
import { agrees, witnessOf } from './accept/agreement.ts'
import { confirms } from './accept/consistency.ts'
import type { AcceptInput, Current, Decision } from './accept/decision.ts'
import { firstValue } from './accept/first-value.ts'
import { freeAgreed, isWordOn } from './accept/free.ts'
import { isLearnable, learnGap, rebaseGaps } from './accept/gap.ts'
import { hear } from './accept/hear.ts'
import { isFreedByRepetition, nextHold, toHold } from './accept/hold.ts'
import { type Judged, judge, suspicionOf } from './accept/judged.ts'
import { type GuardMemory, type HoldMemory, recall } from './accept/memory.ts'
import { isNews } from './accept/news.ts'
import { heldCandidate } from './accept/repetition.ts'
import { isPositiveAndFinite } from './accept/rules/positive-and-finite.ts'
import { giveTurn, takeTurn, type Turn } from './accept/turn.ts'
import type { Candidate } from './candidate.ts'

export type { AcceptInput, Current, Decision, Held, OperatorWord } from './accept/decision.ts'
export type { GuardMemory } from './accept/memory.ts'

/** A source in use that stood still this long is compared with an independent one, once an hour. */
const COMPARE_AFTER_MS = 2 * HOUR_MS
const COMPARE_EVERY_MS = HOUR_MS

/**
 * What to publish of a pair in this cycle. A candidate passes the rules (accept/rules.ts), or an
 * independent source, an operator or repetition frees it; the source whose turn it is speaks; what
 * it says is news, or it confirms the value in effect.
 */
export function accept(input: AcceptInput): Decision {
  const { current, operator, now } = input
  const stored = recall(input.memory)
  if (input.candidates.length === 0 && input.failed.length === 0) return nothingAsked(input, stored)

  const candidates = usable(input.candidates)
  const failed = [...input.failed, ...unusable(input.candidates)]
  const memory = { ...stored, sources: hear(stored.sources, candidates, now) }
  const judged = freeAgreed(
    candidates.map((candidate) => judge(candidate, current, memory, now)),
    memory,
  )

  const { doubted, ...turn } = doubtNews(
    chooseSpeaker({ ...input, failed }, memory, judged),
    current,
    now,
  )
  const held = doubted ?? toHold(judged, turn.turn, memory.hold)
  const hold = nextHold(memory.hold, held, judged)
  if (held && hold && isFreedByRepetition(held, hold, { judged, operator, now })) {
    return conclude(input, memory, judged, giveTurn({ ...held, freed: true }), null)
  }

  return conclude(input, memory, judged, turn, hold)
}

interface Choice extends Turn {
  /** A candidate to hold although no rule suspects it by itself. */
  doubted: Judged | null
}

/** Who speaks for the pair: whom the operator believes, the first voice, or whose turn it is. */
function chooseSpeaker(
  { current, failed, operator }: AcceptInput,
  memory: GuardMemory,
  judged: readonly Judged[],
): Choice {
  const accepted = judged.find((one) => one.suspicion && isWordOn(operator, 'accepted', one))
  if (accepted) return { ...giveTurn({ ...accepted, freed: true }), doubted: null }

  if (!current) {
    const { speaker, doubted } = firstValue(judged, memory.hold)
    return { ...(speaker ? giveTurn(speaker) : { turn: null, speaker }), doubted }
  }

  const overruled = isOverruled(judged, memory)
  return { ...takeTurn(memory.turn, { judged, failed, current, overruled }), doubted: null }
}

/**
 * A known gap explains why a source stands apart; it is no licence to publish the gap. News must
 * also be in range of the value in effect itself.
 */
function doubtNews(chosen: Choice, current: Current | null, now: Instant): Choice {
  const { turn, speaker } = chosen
  if (!speaker || !current || speaker.freed) return chosen
  if (!isNews(speaker, current, turn?.anchor ?? null)) return chosen

  const suspicion = suspicionOf(speaker.candidate, current, current, now)
  if (!suspicion) return chosen
  return { turn, speaker: null, doubted: { ...speaker, baseline: current, suspicion } }
}

/** Whether two independent sources agree on a new value, and the source in use says the old one. */
function isOverruled(judged: readonly Judged[], { turn }: GuardMemory): boolean {
  const inUse = judged.find(({ candidate }) => candidate.source === turn?.source)
  if (!inUse || !confirms(inUse)) return false

  return judged.some((one) => one.freed && !agrees(one, witnessOf(inUse)))
}

function conclude(
  { pair, current, now, candidates, failed }: AcceptInput,
  memory: GuardMemory,
  judged: readonly Judged[],
  { turn, speaker }: Turn,
  hold: HoldMemory | null,
): Decision {
  const isPublished = speaker && (!current || isNews(speaker, current, turn?.anchor ?? null))
  const publish = isPublished ? speaker.candidate : null
  const confirmed = speaker !== null || judged.some(confirms)
  const isCalm = current && speaker && !publish && !hold
  const isCompared = candidates.length + failed.length > 1

  return {
    publish,
    confirmed,
    held: hold && { candidate: heldCandidate(hold, pair), reason: hold.reason },
    source: turn?.source ?? null,
    wantsMore: !speaker || hold !== null || wantsComparison(speaker, judged, memory, !current, now),
    memory: {
      v: 1,
      turn: turn && (publish ? { ...turn, anchor: null } : turn),
      hold,
      sources: isCalm
        ? learnGaps(judged, memory, current)
        : publish
          ? rebaseGaps(memory.sources, current?.source, publish.source)
          : memory.sources,
      comparedAt: isCompared ? now : memory.comparedAt,
    },
  }
}

/** Whether a speaker that stands alone should be compared: at a pair's start, or when it stood long. */
function wantsComparison(
  { candidate, source }: Judged,
  judged: readonly Judged[],
  { comparedAt }: GuardMemory,
  isFirst: boolean,
  now: number,
): boolean {
  if (judged.some((other) => other.candidate.provenance !== candidate.provenance)) return false

  const stood = now - (source.changedAt ?? source.firstSeenAt)
  return isFirst || (stood >= COMPARE_AFTER_MS && Math.abs(now - comparedAt) >= COMPARE_EVERY_MS)
}

/** A calm cycle teaches how far each source stands from the value in effect. */
function learnGaps(
  judged: readonly Judged[],
  { sources }: GuardMemory,
  current: Current,
): GuardMemory['sources'] {
  const heard = judged.filter(({ frozen }) => !frozen).map(({ candidate }) => candidate.source)
  return sources.map((source) =>
    source.name !== current.source && heard.includes(source.name) && isLearnable(source, current)
      ? learnGap(source, current)
      : source,
  )
}

/** A cycle in which no source of the pair was due: everything stays as it is. */
function nothingAsked({ pair }: AcceptInput, memory: GuardMemory): Decision {
  const { hold, turn } = memory
  const held = hold && { candidate: heldCandidate(hold, pair), reason: hold.reason }
  return {
    publish: null,
    confirmed: false,
    held,
    source: turn?.source ?? null,
    wantsMore: false,
    memory,
  }
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
