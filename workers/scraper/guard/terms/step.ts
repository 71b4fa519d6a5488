import { HOUR_MS } from '../../../../shared/argentine-time.ts'
import { heavy } from '../level.ts'
import { isPlausible } from '../usual.ts'
import { faulty } from '../faults.ts'
import { BAD_FORM, FAULTS, MOST_REST_HOURS, REST_HOURS, THRESHOLD } from '../weights.ts'
import { percent, type Term } from './vote.ts'

/**
 * Step: how often the market makes such a change, beside how often a wrong reading stands so far away.
 * A market's changes are small with heavy tails; it may go further in a night and a weekend. A first
 * value is plausible or not.
 */
export const step: Term = ({ baseline, moved, side, usual, rested, source }) => {
  if (!baseline) {
    const points = isPlausible(source, usual) ? THRESHOLD : BAD_FORM
    return [{ term: 'step', points, text: () => 'first value' }]
  }

  const hours = Math.min(rested / HOUR_MS, MOST_REST_HOURS)
  const scale = usual.step * Math.sqrt(1 + hours / REST_HOURS)
  const off = moved[side]
  const points = Math.log(heavy(off, scale) / (FAULTS * faulty(off)))
  return [{ term: 'step', points, text: () => `${side} ${percent(Math.expm1(off))}` }]
}
