/**
 * One closed Argentine day in KV: the points of every pair in it, and of each the one in effect when
 * it began. So it answers any instant of the day. Written by the edge after a read that asked D1,
 * and read by the edge.
 */
import {
  addDays,
  argentineDay,
  type Day,
  dayEnd,
  dayStart,
  type Instant,
  MINUTE_MS,
} from '../argentine-time.ts'
import { type Pair, PAIRS } from '../market/catalog.ts'
import type { Price } from '../market/price.ts'
import type { QuotedPoint } from '../market/quoted-point.ts'
import { parseDocument } from './parse-document.ts'

/** A cycle that began before midnight may write into the day that ended: it is over by then. */
const SETTLED_MS = 3 * MINUTE_MS

/** Whether a day is over and only a correction or an import can still change it. */
export function isSettled(day: Day, now: Instant): boolean {
  return now > dayEnd(day) + SETTLED_MS
}

/** The last day that is over: in the first minutes of a day, the one before yesterday. */
export function lastSettledDay(now: Instant): Day {
  const yesterday = addDays(argentineDay(now), -1)
  return isSettled(yesterday, now) ? yesterday : addDays(yesterday, -1)
}

/** Grows when a reader of the old form would misread the new one. */
export const CLOSED_DAY_SCHEMA = 1

export function closedDayKey(day: Day): string {
  return `day:${day}`
}

export type DayPoint = readonly [at: Instant, buy: Price, sell: Price]

export interface ClosedDay {
  schema: typeof CLOSED_DAY_SCHEMA
  day: Day
  /** Of the past that it shows: one that is older than the board's says nothing any more. */
  revision: number
  /**
   * By the id of every pair of the catalogue, ascending; only the first may be older than the day.
   * Empty for a pair without a value yet.
   */
  points: Readonly<Record<number, readonly DayPoint[]>>
}

/** The document of a KV text; null when it is not whole. */
export function parseClosedDay(text: string | null, day: Day): ClosedDay | null {
  return parseDocument<ClosedDay>(
    text,
    CLOSED_DAY_SCHEMA,
    (document) =>
      document.day === day &&
      Number.isSafeInteger(document.revision) &&
      hasEveryPair(document.points, day),
  )
}

/** The values in effect at an instant of the day, in the order of the pairs asked. */
export function quotesOfDay(
  { points }: ClosedDay,
  pairs: readonly Pair[],
  instant: Instant,
): (QuotedPoint | null)[] {
  return pairs.map(({ id }) => {
    const point = points[id]!.findLast(([at]) => at <= instant)
    return point ? { at: point[0], buy: point[1], sell: point[2] } : null
  })
}

/** A pair that the catalogue got later is missing in older documents. */
function hasEveryPair(points: unknown, day: Day): boolean {
  if (typeof points !== 'object' || points === null) return false
  return PAIRS.every(({ id }) => arePoints((points as Record<number, unknown>)[id], day))
}

function arePoints(points: unknown, day: Day): boolean {
  if (!Array.isArray(points)) return false

  let last = -Infinity
  return points.every((point: unknown, index) => {
    if (!Array.isArray(point) || point.length !== 3 || !point.every(Number.isSafeInteger)) {
      return false
    }
    const at = point[0] as Instant
    const isInOrder = at > last && at <= dayEnd(day) && (index === 0 || at >= dayStart(day))
    last = at
    return isInOrder
  })
}
