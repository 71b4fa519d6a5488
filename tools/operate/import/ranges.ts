/** Sorted lists of ranges of instants. Both ends are inclusive, and ranges do not touch. Pure. */
import {
  addDays,
  argentineDay,
  type Day,
  dayEnd,
  dayStart,
  type Instant,
} from '../../../shared/argentine-time.ts'
import { firstIndex } from '../../support/first-index.ts'

export type Range = readonly [from: Instant, to: Instant]

/** Joins ranges that touch or that are at most `silence` milliseconds apart. */
export function union(ranges: readonly Range[], silence = 0): Range[] {
  const merged: [Instant, Instant][] = []

  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && from <= last[1] + 1 + silence) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

/** The parts of ranges that are between two instants. */
export function within(ranges: readonly Range[], from: Instant, to: Instant): Range[] {
  return ranges
    .map(([begin, end]): Range => [Math.max(begin, from), Math.min(end, to)])
    .filter(([begin, end]) => begin <= end)
}

export function contains(ranges: readonly Range[], at: Instant): boolean {
  return touches(ranges, at, at)
}

/** Whether any part of an Argentine day is in the ranges. */
export function touchesDay(ranges: readonly Range[], day: Day): boolean {
  return touches(ranges, dayStart(day), dayEnd(day))
}

/** The days that a range touches. */
export function daysOf([from, to]: Range): Day[] {
  const days: Day[] = []
  const last = argentineDay(to)
  for (let day = argentineDay(from); day <= last; day = addDays(day, 1)) days.push(day)
  return days
}

/** The ranges of whole days. Consecutive days make one range. */
export function dayRanges(days: readonly Day[]): Range[] {
  return union(days.map((day): Range => [dayStart(day), dayEnd(day)]))
}

/** Whether any range overlaps `from` to `to`. The first range that ends after `from` decides. */
function touches(ranges: readonly Range[], from: Instant, to: Instant): boolean {
  const range = ranges[firstIndex(ranges.length, (index) => ranges[index]![1] >= from)]
  return range !== undefined && range[0] <= to
}
