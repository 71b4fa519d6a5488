import { type Instant } from '../../../../shared/argentine-time.ts'
import type { Override } from '../decision.ts'
import { isOverride } from '../select/clear.ts'
import type { Assessment, AssessmentContext } from '../assessment.ts'
import type { HoldMemory, ActiveSourceMemory } from '../observe/memory.ts'
import { isRefuted } from './refuted.ts'
import { countHold, isRepeated, silentHold } from './repetition.ts'

/**
 * The candidate to hold: a suspicious one of the active source or of a better one. Suspicious
 * readings of fallbacks are ignored until one of them is active, or the active source froze: else
 * a move that it missed would never begin to count.
 */
export function toHold(
  assessed: readonly Assessment[],
  activeSource: ActiveSourceMemory | null,
  { current, memory: { hold } }: AssessmentContext,
): Assessment | null {
  const inUse = assessed.findIndex(({ candidate }) => candidate.source === activeSource?.source)
  const suspects = assessed
    .slice(0, inUse < 0 || assessed[inUse]!.frozen ? assessed.length : inUse + 1)
    .filter(({ suspicion, cleared, frozen, source }) => {
      if (!suspicion || cleared) return false
      // What a source said before the value in effect was seen is no news: it was left behind.
      const isOld = current !== null && (source.changedAt ?? 0) < current.updatedAt
      const isLeftBehind =
        frozen || (isOld && hold?.source !== source.name && activeSource?.source !== source.name)
      return !isLeftBehind || suspicion.release !== 'repetition'
    })

  return suspects.find(({ candidate }) => candidate.source === hold?.source) ?? suspects[0] ?? null
}

/** The hold after this cycle. */
export function nextHold(
  hold: HoldMemory | null,
  held: Assessment | null,
  assessed: readonly Assessment[],
  now: Instant,
): HoldMemory | null {
  if (held) return countHold(hold, held, now)

  const wasHeard = assessed.some(({ candidate }) => candidate.source === hold?.source)
  return hold && !wasHeard ? silentHold(hold) : null
}

/** Whether repetition alone frees a held value: nothing graver, nobody against it. */
export function isFreedByRepetition(
  held: Assessment,
  hold: HoldMemory,
  context: AssessmentContext,
  override: Override | null,
): boolean {
  return (
    held.suspicion?.release === 'repetition' &&
    isRepeated(hold, held) &&
    !isOverride(override, 'rejected', held) &&
    !isRefuted(held, hold, context)
  )
}
