import { distance, spreadOf, widest } from '../observe/levels.ts'
import type { Rule, Subject } from './rule.ts'

/**
 * A spread that this source never has, though the pair might: one side was mistyped. The room
 * beyond the usual bounds is that of the pair (`spreadRoom` in limits.ts). Sources that begin or
 * cease to print one number for both sides are none of its business.
 */
export const unusualSpread: Rule = {
  name: 'unusual-spread',
  release: 'repetition',
  suspects(subject) {
    const { usualSpread, baseline, limits } = subject
    if (!usualSpread || !baseline || subject.buy === subject.sell) return false

    const spread = spreadOf(subject)
    const before = spreadOf(baseline)
    const low = Math.min(usualSpread.low, before) - limits.spreadRoom
    const high = Math.max(usualSpread.high, before) + limits.spreadRoom
    return (spread < low || spread > high) && !isBorne(subject)
  },
}

/** Whether a live witness has both sides where it would have them, and no nearer to the old ones. */
function isBorne({ witnesses, baseline, buy, sell }: Subject): boolean {
  return witnesses.some(
    ({ said, floor, knowsBuy }) =>
      knowsBuy &&
      Math.abs(distance(said.buy, buy)) <= floor &&
      Math.abs(distance(said.sell, sell)) <= floor &&
      (!baseline || widest(said, { buy, sell }) <= widest(said, baseline)),
  )
}
