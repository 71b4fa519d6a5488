import { distance, stepOf } from '../levels.ts'
import type { Limits } from '../limits.ts'
import type { Rule } from '../rule.ts'

/** A market that was closed over night or over a weekend opens further away. */
const NIGHT_HOURS = 10
const WEEKEND_HOURS = 60

/** Banks show a buy that switches between their two counters: it has twice the room of the sell. */
const BUY_ROOM = 2

/** A step beyond the pair's usual range. */
export const jump: Rule = {
  name: 'jump',
  release: 'repetition',
  suspects({ baseline, stale, limits, stoodHours, buy, sell }) {
    if (!baseline || stale) return false

    const step = jumpStep(limits, stoodHours)
    return (
      Math.abs(distance(baseline.sell, sell)) > step ||
      Math.abs(distance(baseline.buy, buy)) > step * BUY_ROOM
    )
  },
}

/** The usual range of a pair whose value has stood for some hours, as a step of the logarithm. */
export function jumpStep({ jump }: Limits, stoodHours: number): number {
  const room = stoodHours >= WEEKEND_HOURS ? 2 : stoodHours >= NIGHT_HOURS ? 1.5 : 1
  return stepOf(jump) * room
}
