/** Which days of a pair nobody has, and which of them an archive is to fill. Pure. */
import { addDays, type Day, daysBetween } from '../../../shared/argentine-time.ts'
import { dayRanges, type Range, touchesDay, union } from '../import/ranges.ts'
import { argentineDay } from '../../../shared/argentine-time.ts'

/** Within so many days without data, the archive's last value is taken to hold. */
export const LONGEST_SILENCE_DAYS = 10

/** A run of days, both inclusive. */
export interface Hole {
  from: Day
  to: Day
}

/** The runs of days, from one to another, that are in none of the ranges. */
export function holesOf(taken: readonly Range[], from: Day, to: Day): Hole[] {
  const holes: Hole[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    if (touchesDay(taken, day)) continue
    const last = holes.at(-1)
    if (last && addDays(last.to, 1) === day) last.to = day
    else holes.push({ from: day, to: day })
  }
  return holes
}

/** Holes that are longer than a silence of the first archives. */
export function longHoles(holes: readonly Hole[]): Hole[] {
  return holes.filter(({ from, to }) => daysBetween(from, to) + 1 > LONGEST_SILENCE_DAYS)
}

/** What to fetch: the years that have holes, as few stretches as possible. */
export function stretchesOf(holes: readonly Hole[]): Hole[] {
  const stretches: Hole[] = []
  for (const { from, to } of holes) {
    const last = stretches.at(-1)
    if (last && Number(from.slice(0, 4)) <= Number(last.to.slice(0, 4)) + 1) last.to = to
    else stretches.push({ from, to })
  }
  return stretches
}

export function isIn(holes: readonly Hole[], day: Day): boolean {
  return holes.some(({ from, to }) => day >= from && day <= to)
}

/**
 * The coverage of daily rows and of what is covered already: their days and the silences between
 * them.
 */
export function covered(days: readonly Day[], before: readonly Range[]): Range[] {
  const ranges: [number, number][] = []
  for (const [from, to] of union(before, dayRanges(days))) {
    const last = ranges.at(-1)
    const silent = last ? daysBetween(argentineDay(last[1]), argentineDay(from)) - 1 : Infinity
    if (last && silent <= LONGEST_SILENCE_DAYS) last[1] = to
    else ranges.push([from, to])
  }
  return ranges
}

/**
 * The first day of a hole whose first value comes a few days later, as when a run begins on a
 * weekend: those days need no other request.
 */
export function silenceBefore(days: readonly Day[], holes: readonly Hole[]): Day[] {
  const first = days[0]!
  const hole = holes.find(({ from, to }) => first >= from && first <= to)
  return hole && daysBetween(hole.from, first) <= LONGEST_SILENCE_DAYS ? [hole.from] : []
}
