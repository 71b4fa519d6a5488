/** The statements of a cycle's rows. Each takes its rows as one JSON list. */
import { argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import type { CycleRecord, QuarantineWrite } from '../../../shared/db/quotes/cycle-record.ts'
import type { CurrentQuote } from '../../../shared/db/quotes/quotes.ts'
import { startOfDaySql } from '../../../shared/db/start-of-day-sql.ts'

/** `demo:` or `upstream:` before the source of a simulated or replayed point. */
const MODE_PREFIX = `coalesce((select mode || ':' from service_mode where mode <> 'live'), '')`

/**
 * The points of changed values. A correction may have changed the value in effect since the cycle
 * read its state. Where it now equals the cycle's value, there is no change and no point.
 */
export function insertPoints(
  binding: D1Database,
  { changes, at }: CycleRecord,
): D1PreparedStatement {
  const rows = changes.map(({ quote }) => [quote.pair.id, quote.buy, quote.sell, quote.source])
  return binding
    .prepare(
      `insert into points (pair, at, buy, sell, source)
       select value ->> 0, ?1, value ->> 1, value ->> 2, ${MODE_PREFIX} || (value ->> 3)
       from json_each(?2)
       where (value ->> 1, value ->> 2) is not (select buy, sell from points
         where pair = value ->> 0 and at < ?1 order by at desc limit 1)`,
    )
    .bind(at, JSON.stringify(rows))
}

/**
 * Writes the current rows of a cycle. A correction or an import may have changed the past since the
 * cycle read its state. So a row is written only where its value is in effect.
 */
export function writeQuotes(
  binding: D1Database,
  { quotes, begun, at }: CycleRecord,
): D1PreparedStatement[] {
  const withoutRow = new Set(begun.map(({ pair }) => pair))
  const made = quotes.filter(({ pair, updatedAt }) => updatedAt === at || withoutRow.has(pair))
  return [
    ...(made.length > 0 ? [binding.prepare(MAKE_QUOTES).bind(toJson(made), at)] : []),
    ...(quotes.length > 0 ? [binding.prepare(SET_SOURCES).bind(toJson(quotes))] : []),
  ]
}

/** The rows of `quotes` as the statements here read them. */
function toJson(quotes: readonly CurrentQuote[]): string {
  return JSON.stringify(
    quotes.map(({ pair, buy, sell, source, updatedAt, lastScrapedAt }) => [
      pair.id,
      buy,
      sell,
      source,
      updatedAt,
      lastScrapedAt,
    ]),
  )
}

/**
 * Values of this cycle, at `?2`, and imported values without a row, if their point is the last one.
 * The reference is the last sell before the value's day, from the current points.
 */
const MAKE_QUOTES = `
  insert into current_quotes (pair, buy, sell, source, updated_at, reference_sell)
  select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4,
    (select sell from points where pair = value ->> 0
      and at < ${startOfDaySql('(value ->> 4)')} order by at desc limit 1)
  from json_each(?1)
  where (
    select (at, buy, sell) = (value ->> 4, value ->> 1, value ->> 2) from points
    where pair = value ->> 0 and at <= ?2 order by at desc limit 1)
  on conflict (pair) do update set buy = excluded.buy, sell = excluded.sell,
    source = excluded.source, updated_at = excluded.updated_at,
    reference_sell = excluded.reference_sell
  where excluded.updated_at = ?2`

/** Whether a row of `toJson` has the value in effect, regardless of its instant. */
const STANDS = '(pair, buy, sell) = (value ->> 0, value ->> 1, value ->> 2)'

/**
 * The source that confirmed a value, where it is another than before. The instants of confirmations
 * are written in one row of all pairs (`writeState`).
 */
const SET_SOURCES = `
  update current_quotes set source = value ->> 3
  from json_each(?1) where ${STANDS} and source <> value ->> 3`

/** Writes the scraper's memory, with the instant of each pair whose value in effect was confirmed. */
export function writeState(
  binding: D1Database,
  { guard, sources, summary, quotes }: CycleRecord,
): D1PreparedStatement {
  const confirmed = quotes.map(({ pair, lastScrapedAt }) => [pair.id, lastScrapedAt])
  return binding
    .prepare(WRITE_STATE)
    .bind(
      guard,
      sources,
      JSON.stringify(summary),
      JSON.stringify(Object.fromEntries(confirmed)),
      toJson(quotes),
      summary.historyRevision ?? null,
    )
}

/** Rows are looked up only when the past changed meanwhile. Otherwise all values are in effect. */
const WRITE_STATE = `
  insert into scraper_state (id, guard, sources, cycle, confirmed_at)
  values (1, ?1, ?2, ?3, iif(
    (select revision from history_revision) = ?6, ?4,
    (select json_group_object(value ->> 0, value ->> 5)
      from json_each(?5) join current_quotes where ${STANDS})))
  on conflict (id) do update set guard = ?1, sources = ?2, cycle = ?3, confirmed_at =
    json_patch(iif(json_valid(confirmed_at), confirmed_at, '{}'), excluded.confirmed_at)`

/**
 * Adds each change to the day's candle. Its `open` is the value in effect before the first change,
 * from the current points. An existing candle keeps its `open`, which may be corrected.
 */
export function upsertCandles(
  binding: D1Database,
  { changes, at }: CycleRecord,
): D1PreparedStatement {
  const rows = changes.map(({ quote: { pair, sell, buy } }) => [pair.id, sell, buy])
  return binding.prepare(UPSERT_CANDLES).bind(JSON.stringify(rows), argentineDay(at), at)
}

/** `changed` is materialized: flattened, its seek would run for every column. */
const UPSERT_CANDLES = `
  with changed as materialized (
    select value ->> 0 as pair, value ->> 1 as sell, value ->> 2 as buy, coalesce(
      (select json_array(sell, buy) from points where pair = value ->> 0 and at < ?3
        order by at desc limit 1), json_array(value ->> 1, value ->> 2)) as before
    from json_each(?1)
    where exists (select 1 from points where pair = value ->> 0 and at = ?3))
  insert into daily_candles
    (pair, day, open, high, low, close, buy_open, buy_high, buy_low, buy)
  select pair, ?2, before ->> 0, max(before ->> 0, sell), min(before ->> 0, sell), sell,
    before ->> 1, max(before ->> 1, buy), min(before ->> 1, buy), buy from changed where true
  on conflict (pair, day) do update set high = max(high, excluded.close),
    low = min(low, excluded.close), close = excluded.close,
    buy_high = max(buy_high, excluded.buy), buy_low = min(buy_low, excluded.buy), buy = excluded.buy`

export function quarantineStatement(
  binding: D1Database,
  write: QuarantineWrite,
  at: Instant,
): D1PreparedStatement {
  switch (write.kind) {
    case 'hold':
      return binding
        .prepare(
          `insert into quarantine
             (pair, buy, sell, source, reason, status, first_seen_at, last_seen_at)
           values (?1, ?2, ?3, ?4, ?5, 'held', ?6, ?6)`,
        )
        .bind(write.pair, write.buy, write.sell, write.source, write.reason, at)
    case 'seen':
      return binding
        .prepare(
          `update quarantine set buy = ?2, sell = ?3, reason = ?4, last_seen_at = ?5,
             first_seen_at = min(first_seen_at, ?5)
           where id = ?1 and status = 'held'`,
        )
        .bind(write.id, write.buy, write.sell, write.reason, at)
    case 'resolve':
      return binding
        .prepare(
          `update quarantine set status = ?2, resolved_at = ?3
           where id = ?1 and resolved_at is null`,
        )
        .bind(write.id, write.status, at)
  }
}
