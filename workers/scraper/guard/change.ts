import type { Assessment, AssessmentContext } from './assessment.ts'
import { isSameLevel, type Level, widest } from './observe/levels.ts'
import { limitsOf } from './rules/limits.ts'

/** A source of another definition must move this many times the dispersion, and at least `CLEAR`, to be a change. */
const DISPERSIONS_OF_OTHER_DEFINITION = 2
const CLEAR = 0.005

/** A learned basis is exact to a little less than this. */
const ROOM = 0.001

/** Whether the active reading is a new value, not the one in effect by another definition. */
export function isChange(
  activeReading: Assessment,
  { current, memory }: AssessmentContext,
  anchor: Level | null,
): boolean {
  const { candidate, baseline, cleared } = activeReading
  if (!current) return true
  const { dispersion, minChange } = limitsOf(candidate.pair)
  if (isSameLevel(candidate, current) || widest(current, candidate) < minChange) return false
  const definition = memory.definedBy ?? current.source
  if (cleared || !anchor || definition === candidate.source) return true

  const moved = widest(anchor, candidate)
  if (!candidate.sameDefinition)
    return moved > Math.max(DISPERSIONS_OF_OTHER_DEFINITION * dispersion, CLEAR)
  return moved > minChange || widest(baseline ?? current, candidate) > dispersion + ROOM
}
