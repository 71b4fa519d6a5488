import {
  argentineDay,
  type Day,
  dayEnd,
  dayStart,
  type Instant,
} from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { unpackDays } from './packed-days.ts'
import {
  type DayValue,
  dayNumber,
  type SeriesSide,
  type SeriesValue,
} from '../../../shared/market/series.ts'
import type { QuotedPoint } from '../../../shared/market/quoted-point.ts'

export interface SeriesQuery {
  pairs: readonly Pair[]
  value: SeriesValue
  side: SeriesSide
  /** Days of a range, inclusive, or single days; none after today. */
  days: { from: Day; to: Day } | { dates: readonly Day[] }
}

/** The columns of a day by value, of `sell` and of `buy`. The average of a day is its close. */
const COLUMNS: Readonly<Record<SeriesSide, Record<SeriesValue, string>>> = {
  sell: { close: 'close', open: 'open', high: 'high', low: 'low', average: 'close' },
  buy: {
    close: 'buy',
    open: 'buy_open',
    high: 'buy_high',
    low: 'buy_low',
    average: 'buy',
  },
}

/**
 * For a range, each pair's days with a change, oldest first, and the last one before the range. For
 * single dates, the day in effect on each, in the order of the query; null before the first. One
 * round trip. The values are those of a date read at the end of the day; today's go up to `now`.
 */
export async function readSeries(
  db: D1Database,
  { pairs, value, side, days }: SeriesQuery,
  now: Instant,
): Promise<(DayValue | null)[][]> {
  const today = argentineDay(now)
  const ids = JSON.stringify(pairs.map(({ id }) => id))
  const columns = [COLUMNS[side][value], COLUMNS[side].close] as const
  const own = [ids, today, now, dayEnd(today)] as const

  const [stored, todays] = await db.batch([
    'dates' in days
      ? db.prepare(onDates(...columns)).bind(...own, JSON.stringify(days.dates))
      : db.prepare(inRange(...columns)).bind(...own, days.from, days.to),
    db.prepare(TODAYS_POINTS).bind(ids, dayStart(today), now, dayEnd(today)),
  ])
  const points = todays!.results as (QuotedPoint & { pair: number })[]
  const columnsOfPairs = (stored!.results as { days: string | null }[]).map(({ days: packed }) => {
    const column = packed === null ? [] : unpackDays(packed)
    return 'dates' in days || isAscending(column)
      ? column
      : column.toSorted((a, b) => a![0] - b![0])
  })
  if (points.length === 0) return columnsOfPairs

  return columnsOfPairs.map((column, index) => {
    const ofPair = points.filter(({ pair }) => pair === pairs[index]!.id)
    return ofPair.length === 0 ? column : withToday(column, ofPair, { value, side, days }, today)
  })
}

/**
 * Values are packed as one text per pair (workers/edge/db/packed-days.ts). Rows or JSON would take
 * twice the time. They come in the order of the table's key; an `order by` would read every row
 * twice.
 */
const packed = (value: string, close: string) =>
  value === close ? `day || ${value}` : `day || ${value} || ':' || ${close}`

const inRange = (value: string, close: string) => `
  select (
    select group_concat(${packed(value, close)})
    from daily_candles where pair = requested.value and day <= ?6 and day >= coalesce(
      (select max(day) from daily_candles where pair = requested.value and day < ?5), ?5)
      and ${UNTIL_NOW}
  ) as days
  from json_each(?1) as requested order by requested.key`

const onDates = (value: string, close: string) => `
  select (
    select group_concat(coalesce((
      select ${packed(value, close)} from daily_candles
      where pair = requested.value and day <= dates.value and ${UNTIL_NOW} order by day desc limit 1
    ), '')) from json_each(?5) as dates
  ) as days
  from json_each(?1) as requested order by requested.key`

function isAscending(column: readonly (DayValue | null)[]): boolean {
  return column.every((day, index) => index === 0 || column[index - 1]![0] < day![0])
}

/**
 * Leaves today's stored row out when it includes a point later than now, such as an imported close.
 */
const UNTIL_NOW = `(day <> ?2 or not exists (
  select 1 from points where pair = requested.value and at > ?3 and at <= ?4))`

/** Today's points up to now of the pairs whose stored row was left out. */
const TODAYS_POINTS = `
  select points.pair, at, buy, sell from json_each(?1) as requested
    join points on points.pair = requested.value and at >= ?2 and at <= ?3
  where exists (select 1 from points as later
    where later.pair = requested.value and later.at > ?3 and later.at <= ?4)
  order by requested.key, at`

/** Adds today's row, made of its points, where the range or a date includes today. */
function withToday(
  column: (DayValue | null)[],
  points: readonly QuotedPoint[],
  { value, side, days }: Pick<SeriesQuery, 'value' | 'side' | 'days'>,
  today: Day,
): (DayValue | null)[] {
  const number = dayNumber(today)
  const made = (before: DayValue | null | undefined): DayValue => {
    const first = points[0]!
    const open = first.at === dayStart(today) || !before ? first[side] : before[2]
    const all = [open, ...points.map((point) => point[side])]
    const close = all.at(-1)!
    const values = { open, close, average: close, high: Math.max(...all), low: Math.min(...all) }
    return [number, values[value], close]
  }
  if ('dates' in days) {
    return column.map((day, index) => (days.dates[index] === today ? made(day) : day))
  }
  return days.to < today ? column : [...column, made(column.at(-1))]
}
