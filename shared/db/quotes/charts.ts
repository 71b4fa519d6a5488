/** The chart documents: which are due, their content, and which were drawn. */
import type { Day, Instant } from '../../argentine-time.ts'
import { type Pair, pairById } from '../../market/catalog.ts'
import { type ChartValue, MONTH_CLOSES, RECENT_MS } from '../../board/charts.ts'
import type { Price } from '../../market/price.ts'
import { historyRevisionOf, historyRevisionStatement } from './history-revision.ts'
import { EVERY_PAIR } from '../every-pair.ts'

/** A document to draw: the closes of a pair's closed days. */
export interface DueChart {
  pair: Pair
  /** The revision that is drawn; a change of history meanwhile raises it. */
  revision: number
  /** JSON of `Close[]` (shared/board/charts.ts), as the database made it: thousands are never parsed. */
  closes: string
  /** The last of them, without `buy`: JSON of `MonthClose[]`. */
  month: string
}

/** Limits what a midnight reads of the history. The other pairs wait for the next cycle. */
export const DRAWN_AT_ONCE = 4

/**
 * Selects the pairs to draw, with their closes. All pairs whose history was changed are due, and at
 * most `DRAWN_AT_ONCE` of those with a closed day that is not drawn yet. When none is due, no history
 * is read.
 */
export function dueChartsStatement(binding: D1Database, today: Day): D1PreparedStatement {
  return binding
    .prepare(
      `select due.pair, due.revision, (
         select json_group_array(iif(
           high > max(open, close) or low < min(open, close),
           json_array(unixepoch(day) / 86400, close, buy, high, low),
           json_array(unixepoch(day) / 86400, close, buy)) order by day)
         from daily_candles where pair = due.pair and day < ?1) as closes, (
         select json_group_array(json_array(unixepoch(day) / 86400, close) order by day)
         from (
           select day, close from daily_candles where pair = due.pair and day < ?1
           order by day desc limit ${MONTH_CLOSES})) as month
       from (
         select *, row_number() over (partition by changed) as place from (
           select requested.value as pair, coalesce(chart.revision, 0) as revision,
             coalesce(chart.revision <> chart.drawn_revision, 0) as changed
           from json_each(?2) as requested left join chart_days as chart on chart.pair = requested.value
           where changed or exists (select 1 from daily_candles as candle
             where candle.pair = requested.value
               and candle.day > coalesce(chart.drawn_day, '') and candle.day < ?1))
       ) as due
       where changed or place <= ${DRAWN_AT_ONCE}`,
    )
    .bind(today, EVERY_PAIR)
}

export function dueCharts(result: D1Result): DueChart[] {
  const rows = result.results as (Omit<DueChart, 'pair'> & { pair: number })[]
  return rows.flatMap(({ pair: id, ...drawn }) => {
    const pair = pairById(id)
    return pair ? [{ ...drawn, pair }] : []
  })
}

/** Marks documents as drawn up to `day`, at the revision that was read. */
export function drawnStatement(
  binding: D1Database,
  charts: readonly DueChart[],
  day: Day,
): D1PreparedStatement {
  return binding
    .prepare(
      `insert into chart_days (pair, revision, drawn_revision, drawn_day)
       select value ->> 0, value ->> 1, value ->> 1, ?1 from json_each(?2) where true
       on conflict (pair) do update set drawn_revision = excluded.drawn_revision,
         drawn_day = excluded.drawn_day`,
    )
    .bind(day, JSON.stringify(charts.map(({ pair, revision }) => [pair.id, revision])))
}

/** Makes a pair's document due. Belongs into every batch that changes history. */
export function redrawStatement(binding: D1Database, pair: Pick<Pair, 'id'>): D1PreparedStatement {
  return binding
    .prepare(
      `insert into chart_days (pair, revision, drawn_revision, drawn_day) values (?1, 1, 0, '')
       on conflict (pair) do update set revision = revision + 1`,
    )
    .bind(pair.id)
}

/**
 * The values of every pair in the last 24 hours and the one in effect when they begin, in order,
 * with the revision of the past that they belong to.
 */
export async function recentValues(
  binding: D1Database,
  now: Instant,
): Promise<{ values: ChartValue[]; revision: number | undefined }> {
  const [revision, points] = await binding.batch([
    historyRevisionStatement(binding),
    binding
      .prepare(
        `select p.pair, p.at, p.sell from json_each(?1) as requested join points as p
           on p.pair = requested.value and p.at <= ?3 and p.at >= coalesce(
             (select max(at) from points where pair = requested.value and at <= ?2), ?2)
         order by p.pair, p.at`,
      )
      .bind(EVERY_PAIR, now - RECENT_MS, now),
  ])
  const rows = points!.results as { pair: number; at: Instant; sell: Price }[]
  return {
    values: rows.map(({ pair, at, sell }) => ({ pair: pairById(pair)!, sell, updatedAt: at })),
    revision: historyRevisionOf(revision)?.revision,
  }
}
