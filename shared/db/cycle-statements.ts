/** The rows of a cycle as statements. Prices and instants go in as one JSON list a table. */
import { argentineDay, type Instant } from '../argentine-time.ts'
import type { CycleRecord, QuarantineWrite } from './cycles.ts'
import type { CurrentQuote } from './quotes.ts'

export function insertPoints(
  binding: D1Database,
  { changes, at }: CycleRecord,
): D1PreparedStatement {
  const rows = changes.map(({ quote }) => [quote.pair.id, quote.buy, quote.sell, quote.source])
  return binding
    .prepare(
      `INSERT INTO points (pair, at, buy, sell, source)
       SELECT value ->> 0, ?1, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?2)`,
    )
    .bind(at, JSON.stringify(rows))
}

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
      `INSERT INTO current_quotes
         (pair, buy, sell, source, updated_at, last_scraped_at, reference_sell)
       SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
         value ->> 6 FROM json_each(?1) WHERE true
       ON CONFLICT (pair) DO UPDATE SET buy = excluded.buy, sell = excluded.sell,
         source = excluded.source, updated_at = excluded.updated_at,
         last_scraped_at = excluded.last_scraped_at, reference_sell = excluded.reference_sell`,
    )
    .bind(JSON.stringify(rows))
}

/** The day's candle follows each change; its `open` is the value in effect before the first. */
export function upsertCandles(
  binding: D1Database,
  { changes, at }: CycleRecord,
): D1PreparedStatement {
  const rows = changes.map(({ quote, previous }) => {
    const open = previous?.sell ?? quote.sell
    return [quote.pair.id, open, quote.sell, quote.buy]
  })
  return binding
    .prepare(
      `INSERT INTO daily_candles (pair, day, open, high, low, close, buy)
       SELECT value ->> 0, ?1, value ->> 1, max(value ->> 1, value ->> 2),
         min(value ->> 1, value ->> 2), value ->> 2, value ->> 3 FROM json_each(?2) WHERE true
       ON CONFLICT (pair, day) DO UPDATE SET high = max(high, excluded.high),
         low = min(low, excluded.low), close = excluded.close, buy = excluded.buy`,
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
          `INSERT INTO quarantine
             (pair, buy, sell, source, reason, status, first_seen_at, last_seen_at)
           VALUES (?1, ?2, ?3, ?4, ?5, 'held', ?6, ?6)`,
        )
        .bind(write.pair, write.buy, write.sell, write.source, write.reason, at)
    case 'seen':
      return binding
        .prepare(
          `UPDATE quarantine SET buy = ?2, sell = ?3, reason = ?4, last_seen_at = ?5,
             first_seen_at = min(first_seen_at, ?5)
           WHERE id = ?1 AND status = 'held'`,
        )
        .bind(write.id, write.buy, write.sell, write.reason, at)
    case 'resolve':
      return binding
        .prepare(
          `UPDATE quarantine SET status = ?2, resolved_at = ?3
           WHERE id = ?1 AND resolved_at IS NULL`,
        )
        .bind(write.id, write.status, at)
  }
}
