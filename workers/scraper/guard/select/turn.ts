import type { Current } from '../decision.ts'
import { isGood, type Judged } from '../judged.ts'
import type { TurnMemory } from '../observe/memory.ts'

/**
 * Which source speaks for the pair. It stays the same until it was bad for three cycles (twelve
 * quarter misses) and returns to a better one only after that was good for four: sources of one
 * pair differ in definition, and each switch risks a change that the market did not make.
 */
const MOST_MISSES = 12
const FAILED = 4
/** Not asked while others spoke: it has its own rhythm. After an hour of that it loses its turn. */
const NOT_ASKED = 1
const GOOD_TO_RETURN = 4

export interface Cycle {
  /** In order of preference. */
  judged: readonly Judged[]
  failed: readonly string[]
  current: Current | null
  /** Two independent sources agree on a new value, and the source in use does not. */
  overruled: boolean
}

export interface Turn {
  turn: TurnMemory | null
  /** What the source in use says, when it may be believed. */
  speaker: Judged | null
}

export function takeTurn(memory: TurnMemory | null, cycle: Cycle): Turn {
  const turn = memory ?? firstTurn(cycle)
  if (!turn) return { turn: null, speaker: null }

  const inUse = cycle.judged.find(({ candidate }) => candidate.source === turn.source)
  // A better source that was doubted and now has a witness was right all along.
  const vindicated = inUse && cycle.judged.slice(0, cycle.judged.indexOf(inUse)).find(isVindicated)
  if (vindicated) return giveTurn(vindicated)

  const isFit = inUse !== undefined && isGood(inUse) && !cycle.overruled
  if (isFit) return returnToBetter({ ...turn, misses: 0 }, inUse, cycle)

  const wasAsked = inUse !== undefined || cycle.failed.includes(turn.source)
  const lost = wasAsked ? FAILED : NOT_ASKED
  const next = cycle.judged.find((judged) => judged !== inUse && isGood(judged))
  // A frozen source was watched for long enough.
  const misses = inUse?.frozen ? MOST_MISSES : Math.min(turn.misses + lost, MOST_MISSES)
  if (misses >= MOST_MISSES && next) {
    const given = giveTurn(next)
    // The market left a frozen source behind: where the next one stands now is news.
    return inUse?.frozen ? { ...given, turn: given.turn && { ...given.turn, anchor: null } } : given
  }

  // A frozen source that nobody can replace still says the last value.
  const speaker = inUse && isGood({ ...inUse, frozen: false }) && !cycle.overruled ? inUse : null
  return { turn: { ...turn, misses }, speaker }
}

/** The turn of a source that takes over; where it stands now is not news by itself. */
export function giveTurn(speaker: Judged): Turn {
  const { source, buy, sell } = speaker.candidate
  return { turn: { source, misses: 0, returning: null, anchor: { buy, sell } }, speaker }
}

function isVindicated(judged: Judged): boolean {
  return judged.freed && isGood(judged)
}

function firstTurn({ judged, failed, current }: Cycle): TurnMemory | null {
  const names = [...judged.map(({ candidate }) => candidate.source), ...failed]
  const known = current && names.includes(current.source) ? current.source : undefined
  const source = known ?? judged.find(isGood)?.candidate.source ?? judged[0]?.candidate.source
  return source === undefined ? null : { source, misses: 0, returning: null, anchor: null }
}

function returnToBetter(turn: TurnMemory, inUse: Judged, { judged, failed }: Cycle): Turn {
  const better = judged.slice(0, judged.indexOf(inUse)).find(isGood)
  if (!better) {
    const names = [...judged.map(({ candidate }) => candidate.source), ...failed]
    const wasAsked = turn.returning !== null && names.includes(turn.returning.source)
    return { turn: { ...turn, returning: wasAsked ? null : turn.returning }, speaker: inUse }
  }

  const { source } = better.candidate
  const good = turn.returning?.source === source ? turn.returning.good + 1 : 1
  if (good >= GOOD_TO_RETURN) return giveTurn(better)

  return { turn: { ...turn, returning: { source, good } }, speaker: inUse }
}
