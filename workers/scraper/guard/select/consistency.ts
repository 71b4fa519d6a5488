import { hasOnlySell } from './agreement.ts'
import { isGood, type Assessment } from '../assessment.ts'
import { distance, widest } from '../observe/levels.ts'
import { limitsOf } from '../rules/limits.ts'
import { isBasisKnown } from '../observe/basis.ts'

/** Room on top of the pair's usual dispersion. */
const ROOM = 0.001

/** A source of another definition whose basis is not known yet. */
const UNKNOWN_BASIS = 0.02

/** Whether a good candidate says the value in effect, by its own definition. */
export function confirms(assessed: Assessment): boolean {
  const { candidate, source } = assessed
  const unknown = !candidate.sameDefinition && !isBasisKnown(source.usual)

  return (
    isGood(assessed) &&
    offBaseline(assessed) <= (unknown ? UNKNOWN_BASIS : limitsOf(candidate.pair).dispersion + ROOM)
  )
}

/** How far a candidate stands from the value in effect: the larger of the sides that it knows. */
function offBaseline({ candidate, baseline }: Assessment): number {
  if (!baseline) return Infinity

  return hasOnlySell(candidate.pair, candidate, baseline)
    ? Math.abs(distance(baseline.sell, candidate.sell))
    : widest(baseline, candidate)
}
