import type { Day } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { unpackDays } from './packed-days.ts'
import type { DayValue, SeriesSide, SeriesValue } from '../extensions/series-table.ts'

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
 * single dates, the day in effect on each, in the order of the query; null before the first. The
 * values are those of a date read at the end of the day.
 */
export async function readSeries(
  db: D1Database,
  { pairs, value, side, days }: SeriesQuery,
): Promise<(DayValue | null)[][]> {
  const ids = JSON.stringify(pairs.map(({ id }) => id))
  const columns = [COLUMNS[side][value], COLUMNS[side].close] as const
  const statement =
    'dates' in days
      ? db.prepare(onDates(...columns)).bind(ids, JSON.stringify(days.dates))
      : db.prepare(inRange(...columns)).bind(ids, days.from, days.to)

  const { results } = await statement.all<{ days: string | null }>()
  return results.map(({ days: packed }) => {
    const column = packed === null ? [] : unpackDays(packed)
    return 'dates' in days || isAscending(column)
      ? column
      : column.toSorted((a, b) => a![0] - b![0])
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
    from daily_candles where pair = requested.value and day <= ?3 and day >= coalesce(
      (select max(day) from daily_candles where pair = requested.value and day < ?2), ?2)
  ) as days
  from json_each(?1) as requested order by requested.key`

const onDates = (value: string, close: string) => `
  select (
    select group_concat(coalesce((
      select ${packed(value, close)} from daily_candles
      where pair = requested.value and day <= dates.value order by day desc limit 1
    ), '')) from json_each(?2) as dates
  ) as days
  from json_each(?1) as requested order by requested.key`

function isAscending(column: readonly (DayValue | null)[]): boolean {
  return column.every((day, index) => index === 0 || column[index - 1]![0] < day![0])
}
