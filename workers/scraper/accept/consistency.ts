import { HOUR_MS, type Instant } from '../../../shared/argentine-time.ts'
import { hasOnlySell } from './agreement.ts'
import { isGapKnown } from './gap.ts'
import { isGood, type Judged } from './judged.ts'
import { distance, widest } from './levels.ts'
import { limitsOf } from './limits.ts'

/** Room on top of the pair's usual gap. */
const ROOM = 0.001

/** A source of another definition whose gap is not known yet. */
const UNKNOWN_GAP = 0.02

/** How long a source that stands still speaks against a new value; less if it was never seen to move. */
const LIVE_MS = 24 * HOUR_MS
const UNTRIED_MS = 2 * HOUR_MS

/** Whether a good candidate says the value in effect, by its own definition. */
export function confirms(judged: Judged): boolean {
  const { candidate, baseline, source } = judged
  if (!baseline || !isGood(judged)) return false

  const off = hasOnlySell(candidate.pair, candidate, baseline)
    ? Math.abs(distance(baseline.sell, candidate.sell))
    : widest(baseline, candidate)
  const unknown = !candidate.sameDefinition && !isGapKnown(source)

  return off <= (unknown ? UNKNOWN_GAP : limitsOf(candidate.pair).gap + ROOM)
}

/**
 * Whether a candidate speaks for the value in effect against a held one: independent, of the same
 * definition, and itself alive.
 */
export function contradicts(judged: Judged, held: { provenance: string }, now: Instant): boolean {
  const { candidate, source } = judged
  if (candidate.provenance === held.provenance || !candidate.sameDefinition) return false

  const isLive =
    source.changedAt === null
      ? now - source.firstSeenAt < UNTRIED_MS
      : now - source.changedAt < LIVE_MS
  return isLive && confirms(judged)
}
