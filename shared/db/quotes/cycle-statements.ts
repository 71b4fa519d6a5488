/** The statements of a cycle's rows. Each takes its rows as one JSON list. */
import { argentineDay, type Instant } from '../../argentine-time.ts'
import type { CycleRecord, QuarantineWrite } from './cycle-record.ts'
import type { CurrentQuote } from './quotes.ts'
import { startOfDaySql } from '../start-of-day-sql.ts'

export function insertPoints(
  binding: D1Database,
  { changes, at }: CycleRecord,
): D1PreparedStatement {
  const rows = changes.map(({ quote }) => [quote.pair.id, quote.buy, quote.sell, quote.source])
  return binding
    .prepare(
      `insert into points (pair, at, buy, sell, source)
       select value ->> 0, ?1, value ->> 1, value ->> 2, value ->> 3 from json_each(?2)`,
    )
    .bind(at, JSON.stringify(rows))
}

/**
 * Writes the current rows of a cycle. A correction or an import may have changed the past since the
 * cycle read its state. So what it confirmed is written only where it still stands.
 */
export function writeQuotes(
  binding: D1Database,
  { quotes, begun, at }: Pick<CycleRecord, 'quotes' | 'begun' | 'at'>,
): D1PreparedStatement[] {
  const withoutRow = new Set(begun.map(({ pair }) => pair))
  const isMade = ({ pair, updatedAt }: CurrentQuote) => updatedAt === at || withoutRow.has(pair)
  const statement = (sql: string, rows: CurrentQuote[], ...more: Instant[]) =>
    rows.length === 0 ? [] : [binding.prepare(sql).bind(JSON.stringify(rows.map(toRow)), ...more)]

  return [
    ...statement(MAKE_QUOTES, quotes.filter(isMade), at),
    ...statement(
      CONFIRM_QUOTES,
      quotes.filter((quote) => !isMade(quote)),
    ),
  ]
}

function toRow({ pair, buy, sell, source, updatedAt, lastScrapedAt }: CurrentQuote) {
  return [pair.id, buy, sell, source, updatedAt, lastScrapedAt]
}

/**
 * New values have the instant of the cycle, `?2`. Others are imported, were found without a row, and
 * have to be the last still. The reference is the last sell before the value's day, as the points
 * have it now.
 */
const MAKE_QUOTES = `
  insert into current_quotes
    (pair, buy, sell, source, updated_at, last_scraped_at, reference_sell)
  select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
    (select sell from points where pair = value ->> 0
      and at < ${startOfDaySql('(value ->> 4)')} order by at desc limit 1)
  from json_each(?1)
  where value ->> 4 = ?2 or (
    select (at, buy, sell) = (value ->> 4, value ->> 1, value ->> 2) from points
    where pair = value ->> 0 and at <= ?2 order by at desc limit 1)
  on conflict (pair) do update set buy = excluded.buy, sell = excluded.sell,
    source = excluded.source, updated_at = excluded.updated_at,
    last_scraped_at = excluded.last_scraped_at, reference_sell = excluded.reference_sell
  where excluded.updated_at = ?2`

/**
 * A confirmation alone is not written here, unless the row's own is later: the clock that wrote it was
 * wrong.
 */
const CONFIRM_QUOTES = `
  update current_quotes set source = value ->> 3, last_scraped_at = value ->> 5
  from json_each(?1)
  where pair = value ->> 0 and (buy, sell, updated_at) = (value ->> 1, value ->> 2, value ->> 4)
    and (source <> value ->> 3 or last_scraped_at > value ->> 5)`

/**
 * The day's candle follows each change; its `open` is the value in effect before the first, as the
 * points have it now. What a candle of the day has already is not told again: it may be corrected.
 */
export function upsertCandles(
  binding: D1Database,
  { changes, at }: CycleRecord,
): D1PreparedStatement {
  const rows = changes.map(({ quote: { pair, sell, buy } }) => [pair.id, sell, buy])
  return binding.prepare(UPSERT_CANDLES).bind(JSON.stringify(rows), argentineDay(at), at)
}

/** `changed` is made once: flattened, its seek would be done for every column. */
const UPSERT_CANDLES = `
  with changed as materialized (
    select value ->> 0 as pair, value ->> 1 as sell, value ->> 2 as buy, coalesce(
      (select json_array(sell, buy) from points where pair = value ->> 0 and at < ?3
        order by at desc limit 1), json_array(value ->> 1, value ->> 2)) as before
    from json_each(?1))
  insert into daily_candles
    (pair, day, open, high, low, close, buy_open, buy_high, buy_low, buy)
  select pair, ?2, before ->> 0, max(before ->> 0, sell), min(before ->> 0, sell), sell,
    before ->> 1, max(before ->> 1, buy), min(before ->> 1, buy), buy from changed where true
  on conflict (pair, day) do update set high = max(high, excluded.close),
    low = min(low, excluded.close), close = excluded.close,
    buy_high = max(coalesce(buy_high, buy), excluded.buy),
    buy_low = min(coalesce(buy_low, buy), excluded.buy), buy = excluded.buy`

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
