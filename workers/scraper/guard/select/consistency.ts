import { HOUR_MS, type Instant } from '../../../../shared/argentine-time.ts'
import { hasOnlySell } from './agreement.ts'
import { isGapKnown } from '../observe/gap.ts'
import { isGood, type Judged } from '../judged.ts'
import { distance, widest } from '../observe/levels.ts'
import { limitsOf } from '../rules/limits.ts'

/** Room on top of the pair's usual gap. */
const ROOM = 0.001

/** A source of another definition whose gap is not known yet. */
const UNKNOWN_GAP = 0.02

/** A contradiction stands within this share of the held step. */
const SHARE_OF_STEP = 0.4

/**
 * How long a source that stands still speaks against a new value: over a long weekend. One that
 * froze while others moved does not count at all.
 */
const LIVE_MS = 120 * HOUR_MS

/** Whether a good candidate says the value in effect, by its own definition. */
export function confirms(judged: Judged): boolean {
  const { candidate, source } = judged
  const unknown = !candidate.sameDefinition && !isGapKnown(source)

  return (
    isGood(judged) &&
    offBaseline(judged) <= (unknown ? UNKNOWN_GAP : limitsOf(candidate.pair).gap + ROOM)
  )
}

/**
 * Whether a candidate speaks for the value in effect against a held one: independent, of the same
 * definition, itself alive, and far nearer to the old value than the held one is.
 */
export function contradicts(judged: Judged, held: Judged, now: Instant): boolean {
  const { candidate, source } = judged
  if (candidate.provenance === held.candidate.provenance || !candidate.sameDefinition) return false

  const isLive = now - (source.changedAt ?? source.firstSeenAt) < LIVE_MS
  return isLive && isGood(judged) && offBaseline(judged) <= SHARE_OF_STEP * offBaseline(held)
}

/** How far a candidate stands from the value in effect: the larger of the sides that it knows. */
function offBaseline({ candidate, baseline }: Judged): number {
  if (!baseline) return Infinity

  return hasOnlySell(candidate.pair, candidate, baseline)
    ? Math.abs(distance(baseline.sell, candidate.sell))
    : widest(baseline, candidate)
}
