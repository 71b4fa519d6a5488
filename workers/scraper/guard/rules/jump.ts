import { distance, type Level, stepOf } from '../observe/levels.ts'
import type { Limits } from './limits.ts'
import type { Rule } from './rule.ts'

/**
 * A market that was closed over night or over a weekend opens further away. What stood while it was
 * looked at every five minutes gives no such room.
 */
const NIGHT_HOURS = 10
const WEEKEND_HOURS = 60

/** A step beyond the pair's usual range. */
export const jump: Rule = {
  name: 'jump',
  release: 'repetition',
  suspects({ baseline, stale, limits, closedHours, buy, sell }) {
    if (!baseline || stale) return false

    return !isWithin(jumpStep(limits, closedHours), limits, baseline, { buy, sell })
  },
}

/** Whether two levels differ by no more than a usual step of a running day. */
export function isNearby(one: Level, other: Level, limits: Limits): boolean {
  return isWithin(jumpStep(limits, 0), limits, one, other)
}

function isWithin(step: number, { buyRoom }: Limits, from: Level, to: Level): boolean {
  return (
    Math.abs(distance(from.sell, to.sell)) <= step &&
    Math.abs(distance(from.buy, to.buy)) <= step * buyRoom
  )
}

/** The usual range of a pair that was closed for some hours, as a step of the logarithm. */
function jumpStep({ jump }: Limits, closedHours: number): number {
  const room = closedHours >= WEEKEND_HOURS ? 2 : closedHours >= NIGHT_HOURS ? 1.5 : 1
  return stepOf(jump) * room
}
