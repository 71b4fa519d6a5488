import { type Day, dayEnd, dayStart, type Instant } from '../../../shared/argentine-time.ts'
import {
  CLOSED_DAY_SCHEMA,
  type ClosedDay,
  type DayPoint,
} from '../../../shared/board/closed-day.ts'
import { EVERY_PAIR } from '../../../shared/db/every-pair.ts'

/**
 * The points of a closed day and the revision of the past that they belong to, in one round trip
 * and as of one instant. Null while a cycle may still write into the day. That ends when a cycle
 * after the day is recorded: the lease then refuses every earlier cycle.
 */
export async function readClosedDay(db: D1Database, day: Day): Promise<ClosedDay | null> {
  const [states, rows] = await db.batch([
    db.prepare(
      `select revision, (select iif(json_valid(cycle), cycle ->> 'at', null) from scraper_state)
         as recordedUntil from history_revision`,
    ),
    db.prepare(POINTS).bind(EVERY_PAIR, dayStart(day), dayEnd(day)),
  ])
  const state = states!.results[0] as
    | { revision: number; recordedUntil: Instant | null }
    | undefined
  if (!state || state.recordedUntil === null || state.recordedUntil <= dayEnd(day)) return null

  const points = (rows!.results as { pair: number; points: string }[]).map(
    ({ pair, points }) =>
      [pair, (JSON.parse(points) as DayPoint[]).toSorted(([a], [b]) => a - b)] as const,
  )
  return {
    schema: CLOSED_DAY_SCHEMA,
    day,
    revision: state.revision,
    points: Object.fromEntries(points),
  }
}

/**
 * For each pair the value in effect at the day's first instant and the values of the day, as JSON.
 * Sorted by the caller: an `order by` would read every row twice.
 */
const POINTS = `
  select requested.value as pair, (
    select json_group_array(json_array(at, buy, sell)) from points
    where pair = requested.value and at <= ?3 and at >= coalesce(
      (select max(at) from points where pair = requested.value and at <= ?2), ?2)
  ) as points
  from json_each(?1) as requested`
