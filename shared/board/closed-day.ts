/**
 * One closed Argentine day in KV: the points of every pair on that day, and the one in effect when
 * the day began. So it answers any instant of the day. The edge writes it after it read D1.
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

/**
 * A cycle that began before midnight may still write into the day that ended. It ends within this
 * time.
 */
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

/** Grows with each incompatible change of the document. */
export const CLOSED_DAY_SCHEMA = 1

export function closedDayKey(day: Day): string {
  return `day:${day}`
}

export type DayPoint = readonly [at: Instant, buy: Price, sell: Price]

export interface ClosedDay {
  schema: typeof CLOSED_DAY_SCHEMA
  day: Day
  /** The revision of the past that it shows. It must not be older than the board's. */
  revision: number
  /**
   * By the id of every pair of the catalogue. Ascending; only the first point may be older than the
   * day. Empty for a pair without a value yet.
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

/** The values in effect at an instant of the day, in the order of the pairs. */
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

/** A pair that joined the catalogue later is missing in older documents. */
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
