/** The statements of a cycle's rows. Each takes its rows as one JSON list. */
import { argentineDay, type Instant } from '../../argentine-time.ts'
import type { CycleRecord, QuarantineWrite } from './cycle-record.ts'
import type { CurrentQuote } from './quotes.ts'

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
 * Writes the rows that differ. A confirmation alone is not written here, unless the row's own is later:
 * the clock that wrote it was wrong.
 */
export function upsertQuotes(binding: D1Database, quotes: CurrentQuote[]): D1PreparedStatement {
  const rows = quotes.map((quote) => [
    quote.pair.id,
    quote.buy,
    quote.sell,
    quote.source,
    quote.updatedAt,
    quote.lastScrapedAt,
    quote.referenceSell,
  ])
  return binding
    .prepare(
      `insert into current_quotes
         (pair, buy, sell, source, updated_at, last_scraped_at, reference_sell)
       select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
         value ->> 6 from json_each(?1) where true
       on conflict (pair) do update set buy = excluded.buy, sell = excluded.sell,
         source = excluded.source, updated_at = excluded.updated_at,
         last_scraped_at = excluded.last_scraped_at, reference_sell = excluded.reference_sell
       where (buy, sell, source, updated_at, reference_sell) is not (excluded.buy, excluded.sell,
           excluded.source, excluded.updated_at, excluded.reference_sell)
         or last_scraped_at > excluded.last_scraped_at`,
    )
    .bind(JSON.stringify(rows))
}

/** The day's candle follows each change; its `open` is the value in effect before the first. */
export function upsertCandles(
  binding: D1Database,
  { changes, at }: CycleRecord,
): D1PreparedStatement {
  const rows = changes.map(({ quote, previous }) => {
    const { sell, buy } = previous ?? quote
    return [quote.pair.id, sell, quote.sell, buy, quote.buy]
  })
  return binding
    .prepare(
      `insert into daily_candles
         (pair, day, open, high, low, close, buy_open, buy_high, buy_low, buy)
       select value ->> 0, ?1, value ->> 1, max(value ->> 1, value ->> 2),
         min(value ->> 1, value ->> 2), value ->> 2, value ->> 3, max(value ->> 3, value ->> 4),
         min(value ->> 3, value ->> 4), value ->> 4 from json_each(?2) where true
       on conflict (pair, day) do update set high = max(high, excluded.high),
         low = min(low, excluded.low), close = excluded.close,
         buy_high = max(coalesce(buy_high, buy), excluded.buy_high),
         buy_low = min(coalesce(buy_low, buy), excluded.buy_low), buy = excluded.buy`,
    )
    .bind(argentineDay(at), JSON.stringify(rows))
}

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
