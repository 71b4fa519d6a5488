import type { Current } from './decision.ts'
import type { Judged } from './judged.ts'
import { isSameLevel, type Level, widest } from './observe/levels.ts'
import { limitsOf } from './rules/limits.ts'

/** A source of another definition must move this many usual gaps, and at least `CLEAR`, to be news. */
const GAPS_OF_OTHER_DEFINITION = 2
const CLEAR = 0.005

/** Whether what the speaker says is a new value, and not the one in effect in other words. */
export function isNews(speaker: Judged, current: Current, anchor: Level | null): boolean {
  const { candidate, baseline, freed } = speaker
  const { gap, minChange } = limitsOf(candidate.pair)
  if (isSameLevel(candidate, current) || widest(current, candidate) < minChange) return false
  if (freed || !anchor || current.source === candidate.source) return true

  const moved = widest(anchor, candidate)
  if (!candidate.sameDefinition) return moved > Math.max(GAPS_OF_OTHER_DEFINITION * gap, CLEAR)
  return moved > minChange || widest(baseline ?? current, candidate) > gap
}
