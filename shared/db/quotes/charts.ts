/** Which chart documents are due, what they show, and the note that they were drawn. */
import type { Day, Instant } from '../../argentine-time.ts'
import { type Pair, pairById, PAIRS } from '../../market/catalog.ts'
import { type ChartValue, MONTH_CLOSES, RECENT_MS } from '../../board/charts.ts'
import type { Price } from '../../market/price.ts'

/** A document to draw: the closes of a pair's closed days. */
export interface DueChart {
  pair: Pair
  /** What is drawn; a change of history in the meantime has another. */
  revision: number
  /** JSON of `Close[]` (shared/board/charts.ts), as the database made it: thousands are never parsed. */
  closes: string
  /** The last of them, without `buy`: JSON of `MonthClose[]`. */
  month: string
}

const EVERY_PAIR = JSON.stringify(PAIRS.map(({ id }) => id))

/** So that no midnight reads the whole history of all pairs: the others wait for the next cycle. */
export const DRAWN_AT_ONCE = 4

/**
 * The pairs whose history was changed, quoted or not, and `DRAWN_AT_ONCE` at most of those of which
 * a day with a change closed before `today` and is not drawn yet, with their closes. A document
 * that shows today or later was drawn by a wrong clock. When none is due, a few rows a pair are
 * read and nothing of the history.
 */
export function dueChartsStatement(binding: D1Database, today: Day): D1PreparedStatement {
  return binding
    .prepare(
      `SELECT due.pair, due.revision, (
         SELECT json_group_array(iif(
           high > max(open, close) OR low < min(open, close),
           json_array(unixepoch(day) / 86400, close, buy, high, low),
           json_array(unixepoch(day) / 86400, close, buy)) ORDER BY day)
         FROM daily_candles WHERE pair = due.pair AND day < ?1) AS closes, (
         SELECT json_group_array(json_array(unixepoch(day) / 86400, close) ORDER BY day)
         FROM (
           SELECT day, close FROM daily_candles WHERE pair = due.pair AND day < ?1
           ORDER BY day DESC LIMIT ${MONTH_CLOSES})) AS month
       FROM (
         SELECT *, row_number() OVER (PARTITION BY changed) AS place FROM (
           SELECT asked.value AS pair, coalesce(chart.revision, 0) AS revision,
             coalesce(chart.revision <> chart.drawn_revision OR chart.drawn_day >= ?1, 0) AS changed
           FROM json_each(?2) AS asked LEFT JOIN chart_days AS chart ON chart.pair = asked.value
           WHERE changed OR EXISTS (SELECT 1 FROM daily_candles AS candle
             WHERE candle.pair = asked.value
               AND candle.day > coalesce(chart.drawn_day, '') AND candle.day < ?1))
       ) AS due
       WHERE changed OR place <= ${DRAWN_AT_ONCE}`,
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

/** Notes that the documents show every closed day up to `day`, at the revision that was read. */
export function drawnStatement(
  binding: D1Database,
  charts: readonly DueChart[],
  day: Day,
): D1PreparedStatement {
  return binding
    .prepare(
      `INSERT INTO chart_days (pair, revision, drawn_revision, drawn_day)
       SELECT value ->> 0, value ->> 1, value ->> 1, ?1 FROM json_each(?2) WHERE true
       ON CONFLICT (pair) DO UPDATE SET drawn_revision = excluded.drawn_revision,
         drawn_day = excluded.drawn_day`,
    )
    .bind(day, JSON.stringify(charts.map(({ pair, revision }) => [pair.id, revision])))
}

/** Has a pair's document drawn anew: for every batch that changes history. */
export function redrawStatement(binding: D1Database, pair: Pick<Pair, 'id'>): D1PreparedStatement {
  return binding
    .prepare(
      `INSERT INTO chart_days (pair, revision, drawn_revision, drawn_day) VALUES (?1, 1, 0, '')
       ON CONFLICT (pair) DO UPDATE SET revision = revision + 1`,
    )
    .bind(pair.id)
}

/** The values of every pair in the last day, and the one in effect when it began, in their order. */
export async function recentValues(binding: D1Database, now: Instant): Promise<ChartValue[]> {
  const { results } = await binding
    .prepare(
      `SELECT p.pair, p.at, p.sell FROM json_each(?1) AS asked CROSS JOIN points AS p
         ON p.pair = asked.value AND p.at <= ?3 AND p.at >= coalesce(
           (SELECT max(at) FROM points WHERE pair = asked.value AND at <= ?2), ?2)
       ORDER BY p.pair, p.at`,
    )
    .bind(EVERY_PAIR, now - RECENT_MS, now)
    .all<{ pair: number; at: Instant; sell: Price }>()
  return results.map(({ pair, at, sell }) => ({ pair: pairById(pair)!, sell, updatedAt: at }))
}
