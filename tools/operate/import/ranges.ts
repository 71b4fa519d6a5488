/** Ranges of instants, both ends inclusive, sorted and apart from each other. Pure. */
import {
  argentineDay,
  type Day,
  dayEnd,
  dayStart,
  type Instant,
} from '../../../shared/argentine-time.ts'
import { firstIndex } from '../../support/first-index.ts'

export type Range = readonly [from: Instant, to: Instant]

/** All that is in any of the lists, as few ranges as possible; ranges that touch become one. */
export function union(...lists: readonly (readonly Range[])[]): Range[] {
  const merged: [Instant, Instant][] = []

  for (const [from, to] of lists.flat().toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

export function contains(ranges: readonly Range[], at: Instant): boolean {
  return touches(ranges, at, at)
}

/** Whether any part of an Argentine day is in the ranges. */
export function touchesDay(ranges: readonly Range[], day: Day): boolean {
  return touches(ranges, dayStart(day), dayEnd(day))
}

/** The parts of the ranges up to an instant. */
export function until(ranges: readonly Range[], last: Instant): Range[] {
  return ranges.flatMap(([from, to]): Range[] => (from > last ? [] : [[from, Math.min(to, last)]]))
}

/** The days of daily ranges of which no part is in `taken`, as ranges of whole days. */
export function daysWithout(daily: readonly Range[], taken: readonly Range[]): Range[] {
  const takenDays = taken.map(([from, to]): Range => [
    dayStart(argentineDay(from)),
    dayEnd(argentineDay(to)),
  ])
  let left: Range[] = [...daily]

  for (const [from, to] of union(takenDays)) {
    left = left.flatMap((range): Range[] => {
      if (range[1] < from || range[0] > to) return [range]
      const before: Range[] = range[0] < from ? [[range[0], from - 1]] : []
      return range[1] > to ? [...before, [to + 1, range[1]]] : before
    })
  }
  return left
}

/** The whole days of a list, runs of consecutive ones as one range. */
export function dayRanges(days: readonly Day[]): Range[] {
  return union(days.map((day): Range => [dayStart(day), dayEnd(day)]))
}

/**
 * Ranges from the first to the last instant of a series, split where the file is silent for too
 * long.
 */
export function bridged(
  first: Instant,
  last: Instant,
  fileInstants: readonly Instant[],
  longestSilence: number,
): Range[] {
  const instants = fileInstants.filter((at) => at >= first && at <= last)
  const ranges: [Instant, Instant][] = []

  for (const at of instants) {
    const range = ranges.at(-1)
    if (range && at - range[1] <= longestSilence) range[1] = at
    else ranges.push([at, at])
  }
  return ranges
}

/** Whether the first range that does not end before `from` begins in time. */
function touches(ranges: readonly Range[], from: Instant, to: Instant): boolean {
  const range = ranges[firstIndex(ranges.length, (index) => ranges[index]![1] >= from)]
  return range !== undefined && range[0] <= to
}
