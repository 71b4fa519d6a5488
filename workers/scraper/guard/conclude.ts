import type { Candidate } from '../pairs/candidate.ts'
import { confirms } from './select/consistency.ts'
import type { AcceptInput, Decision, Held } from './decision.ts'
import type { Judged, JudgeContext } from './judged.ts'
import { limitsOf } from './rules/limits.ts'
import type { GuardMemory, HoldMemory } from './observe/memory.ts'
import { isNews } from './news.ts'
import { rebase } from './observe/basis.ts'
import { forgetDisproved, learnCalm, learnSpreads, noteLeftBehind } from './observe/learn.ts'
import { isNotable, keepCheckpoint, undoReturned } from './observe/undo.ts'
import { heldCandidate } from './hold/repetition.ts'
import type { Turn } from './select/turn.ts'

/** The decision, once it is known who speaks and what is held. */
export function conclude(
  context: JudgeContext,
  judged: readonly Judged[],
  { turn, speaker }: Turn,
  hold: HoldMemory | null,
): Decision {
  const { pair, current } = context
  const isPublished = speaker && isNews(speaker, context, turn?.anchor ?? null)
  const publish = isPublished ? speaker.candidate : null
  const isHeld = hold !== null
  const heard = learnSpreads(judged, noteLeftBehind(judged, context.memory))
  const learned = publish
    ? afterPublishing(publish, heard, context)
    : speaker && !isHeld
      ? learnCalm(judged, speaker.freed ? forgetDisproved([speaker], heard) : heard, context)
      : heard

  return {
    publish,
    confirmed: speaker !== null || judged.some(confirms),
    held: heldOf(hold, pair),
    source: turn?.source ?? null,
    wantsMore: !speaker || isHeld || (!current && standsAlone(judged)),
    memory: {
      ...learned,
      turn: turn && (publish ? { ...turn, anchor: null } : turn),
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
  { pair, current, now }: JudgeContext,
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

function standsAlone(judged: readonly Judged[]): boolean {
  return new Set(judged.map(({ candidate }) => candidate.provenance)).size < 2
}

function levelOf(value: { buy: number; sell: number } | null) {
  return value && { buy: value.buy, sell: value.sell }
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
  return hold ? { candidate: heldCandidate(hold, pair), reason: hold.reason } : null
}
