import { type Instant } from '../../../../shared/argentine-time.ts'
import type { OperatorWord } from '../decision.ts'
import { isWordOn } from '../select/free.ts'
import type { Judged, JudgeContext } from '../judged.ts'
import type { HoldMemory, TurnMemory } from '../observe/memory.ts'
import { isRefuted } from './refuted.ts'
import { countHold, isRepeated, silentHold } from './repetition.ts'

/**
 * The candidate to hold: a suspicious one of the source in use or of a better one. What fallbacks
 * say meanwhile is nobody's business until it is their turn.
 */
export function toHold(
  judged: readonly Judged[],
  turn: TurnMemory | null,
  { current, memory: { hold } }: JudgeContext,
): Judged | null {
  const inUse = judged.findIndex(({ candidate }) => candidate.source === turn?.source)
  const suspects = judged
    .slice(0, inUse < 0 ? judged.length : inUse + 1)
    .filter(({ suspicion, freed, frozen, source }) => {
      if (!suspicion || freed) return false
      // What a source said before the value in effect was seen is no news: it was left behind.
      const isOld = current !== null && (source.changedAt ?? 0) < current.updatedAt
      const isLeftBehind =
        frozen || (isOld && hold?.source !== source.name && turn?.source !== source.name)
      return !isLeftBehind || suspicion.release !== 'repetition'
    })

  return suspects.find(({ candidate }) => candidate.source === hold?.source) ?? suspects[0] ?? null
}

/** The hold after this cycle. */
export function nextHold(
  hold: HoldMemory | null,
  held: Judged | null,
  judged: readonly Judged[],
  now: Instant,
): HoldMemory | null {
  if (held) return countHold(hold, held, now)

  const wasHeard = judged.some(({ candidate }) => candidate.source === hold?.source)
  return hold && !wasHeard ? silentHold(hold) : null
}

/** Whether repetition alone frees a held value: nothing graver, nobody against it. */
export function isFreedByRepetition(
  held: Judged,
  hold: HoldMemory,
  context: JudgeContext,
  operator: OperatorWord | null,
): boolean {
  return (
    held.suspicion?.release === 'repetition' &&
    isRepeated(hold, held) &&
    !isWordOn(operator, 'rejected', held) &&
    !isRefuted(held, hold, context)
  )
}
