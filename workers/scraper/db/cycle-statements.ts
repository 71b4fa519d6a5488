/** The statements that write a cycle's rows. Each takes its rows as one JSON list. */
import { argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import type {
  CurrentQuote,
  CycleRecord,
  QuarantineWrite,
} from '../../../shared/db/quotes/quotes.ts'

/**
 * Writes the points of changed values. If a correction has already set the same value since the
 * cycle read its state, no point is written. A simulated or replayed point has its mode as a prefix
 * of its source.
 */
export function insertPoints(db: D1Database, { changes, at }: CycleRecord): D1PreparedStatement {
  return db
    .prepare(
      `insert into points (pair, at, buy, sell, source)
       select value ->> 'pair', ?1, value ->> 'buy', value ->> 'sell', coalesce(
         (select mode || ':' from service_mode where mode <> 'live'), '') || (value ->> 'source')
       from json_each(?2)
       where (value ->> 'buy', value ->> 'sell') is not (select buy, sell from points
         where pair = value ->> 'pair' and at < ?1 order by at desc limit 1)`,
    )
    .bind(at, toJson(changes.map(({ quote }) => quote)))
}

/**
 * Writes this cycle's values, and imported values of pairs without a row. Each value is written
 * only if its point is the pair's last, because a correction or an import may have changed history
 * since the cycle read its state. The reference is the last sell before the value's day.
 */
export function makeQuotes(
  db: D1Database,
  { quotes, begun, at }: CycleRecord,
): D1PreparedStatement[] {
  const withoutRow = new Set(begun.map(({ pair }) => pair))
  const made = quotes.filter(({ pair, updatedAt }) => updatedAt === at || withoutRow.has(pair))
  if (made.length === 0) return []
  return [
    db
      .prepare(
        `insert into current_quotes (pair, buy, sell, source, updated_at, reference_sell)
         select value ->> 'pair', value ->> 'buy', value ->> 'sell', value ->> 'source',
           value ->> 'updatedAt',
           (select sell from points where pair = value ->> 'pair' and at <
               (value ->> 'updatedAt') - ((value ->> 'updatedAt') - 10800000) % 86400000
             order by at desc limit 1)
         from json_each(?1)
         where (
           select (at, buy, sell) = (value ->> 'updatedAt', value ->> 'buy', value ->> 'sell')
           from points where pair = value ->> 'pair' and at <= ?2 order by at desc limit 1)
         on conflict (pair) do update set buy = excluded.buy, sell = excluded.sell,
           source = excluded.source, updated_at = excluded.updated_at,
           reference_sell = excluded.reference_sell
         where excluded.updated_at = ?2`,
      )
      .bind(toJson(made), at),
  ]
}

/**
 * Writes the source of a value when another source than before confirmed it. The instants of
 * confirmations are in one row for all pairs (`writeState`).
 */
export function setSources(db: D1Database, { quotes }: CycleRecord): D1PreparedStatement[] {
  if (quotes.length === 0) return []
  return [
    db
      .prepare(
        `update current_quotes set source = value ->> 'source'
         from json_each(?1)
         where (pair, buy, sell) = (value ->> 'pair', value ->> 'buy', value ->> 'sell')
           and source <> value ->> 'source'`,
      )
      .bind(toJson(quotes)),
  ]
}

function toJson(quotes: readonly CurrentQuote[]): string {
  return JSON.stringify(quotes.map((quote) => ({ ...quote, pair: quote.pair.id })))
}

/**
 * Writes the scraper's memory, with the instant for each pair whose value in effect was confirmed.
 * If history is unchanged since the cycle began, all its values are in effect and no row is read.
 */
export function writeState(
  db: D1Database,
  { guard, sources, summary, quotes }: CycleRecord,
): D1PreparedStatement {
  const confirmed = quotes.map(({ pair, lastScrapedAt }) => [pair.id, lastScrapedAt])
  return db
    .prepare(
      `insert into scraper_state (id, guard, sources, cycle, confirmed_at)
       values (1, ?1, ?2, ?3, iif(
         (select revision from history_revision) = ?3 ->> 'historyRevision', ?4,
         (select json_group_object(value ->> 'pair', value ->> 'lastScrapedAt')
           from json_each(?5) join current_quotes
           where (pair, buy, sell) = (value ->> 'pair', value ->> 'buy', value ->> 'sell'))))
       on conflict (id) do update set guard = ?1, sources = ?2, cycle = ?3, confirmed_at =
         json_patch(iif(json_valid(confirmed_at), confirmed_at, '{}'), excluded.confirmed_at)`,
    )
    .bind(
      guard,
      sources,
      JSON.stringify(summary),
      JSON.stringify(Object.fromEntries(confirmed)),
      toJson(quotes),
    )
}

/**
 * Adds each change to the day's candle. The `open` of a new candle is the value in effect before
 * the change, from the current points. An existing candle keeps its `open`, perhaps a correction.
 */
export function upsertCandles(
  db: D1Database,
  { changes, at }: Pick<CycleRecord, 'at' | 'changes'>,
): D1PreparedStatement[] {
  // Without a change the statement would still read two rows.
  if (changes.length === 0) return []
  return [
    db
      .prepare(
        // Without `materialized`, SQLite flattens `changed` and repeats its seek for every column.
        `with changed as materialized (
           select value ->> 'pair' as pair, value ->> 'sell' as sell, value ->> 'buy' as buy, coalesce(
             (select json_object('sell', sell, 'buy', buy) from points
               where pair = value ->> 'pair' and at < ?3 order by at desc limit 1), value) as before
           from json_each(?1)
           where exists (select 1 from points where pair = value ->> 'pair' and at = ?3))
         insert into daily_candles
           (pair, day, open, high, low, close, buy_open, buy_high, buy_low, buy)
         select pair, ?2, before ->> 'sell', max(before ->> 'sell', sell),
           min(before ->> 'sell', sell), sell, before ->> 'buy', max(before ->> 'buy', buy),
           min(before ->> 'buy', buy), buy
         from changed where true
         on conflict (pair, day) do update set high = max(high, excluded.close),
           low = min(low, excluded.close), close = excluded.close,
           buy_high = max(buy_high, excluded.buy), buy_low = min(buy_low, excluded.buy),
           buy = excluded.buy`,
      )
      .bind(toJson(changes.map(({ quote }) => quote)), argentineDay(at), at),
  ]
}

export function quarantineStatement(
  db: D1Database,
  write: QuarantineWrite,
  at: Instant,
): D1PreparedStatement {
  switch (write.kind) {
    case 'hold':
      return db
        .prepare(
          `insert into quarantine
             (pair, buy, sell, source, reason, status, first_seen_at, last_seen_at)
           select ?1 ->> 'pair', ?1 ->> 'buy', ?1 ->> 'sell', ?1 ->> 'source', ?1 ->> 'reason',
             'held', ?2, ?2`,
        )
        .bind(JSON.stringify(write), at)
    case 'seen':
      return db
        .prepare(
          `update quarantine set buy = ?2, sell = ?3, reason = ?4, last_seen_at = ?5,
             first_seen_at = min(first_seen_at, ?5)
           where id = ?1 and status = 'held'`,
        )
        .bind(write.id, write.buy, write.sell, write.reason, at)
    case 'resolve':
      return db
        .prepare(
          `update quarantine set status = ?2, resolved_at = ?3
           where id = ?1 and resolved_at is null`,
        )
        .bind(write.id, write.status, at)
  }
}
