import { HOUR_MS, type Instant } from '../../../shared/argentine-time.ts'
import { confirms } from './select/consistency.ts'
import type { AcceptInput, Current, Decision, Held } from './decision.ts'
import { isLearnable, learnGap, rebaseGaps } from './observe/gap.ts'
import type { Judged } from './judged.ts'
import type { GuardMemory, HoldMemory } from './observe/memory.ts'
import { isNews } from './news.ts'
import { heldCandidate } from './hold/repetition.ts'
import type { Turn } from './select/turn.ts'

/** A source in use that stood still this long is compared with an independent one, once an hour. */
const COMPARE_AFTER_MS = 2 * HOUR_MS
const COMPARE_EVERY_MS = HOUR_MS

/** The decision, once it is known who speaks and what is held. */
export function conclude(
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
    held: heldOf(hold, pair),
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
  now: Instant,
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
export function nothingAsked({ pair }: AcceptInput, memory: GuardMemory): Decision {
  const { hold, turn } = memory
  return {
    publish: null,
    confirmed: false,
    held: heldOf(hold, pair),
    source: turn?.source ?? null,
    wantsMore: false,
    memory,
  }
}

function heldOf(hold: HoldMemory | null, pair: AcceptInput['pair']): Held | null {
  return hold && { candidate: heldCandidate(hold, pair), reason: hold.reason }
}
