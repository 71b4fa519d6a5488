/**
 * The scraper's cycle in the database: its lease, what it remembers, and its one batch of writes.
 * Plain SQL: what matters here is which condition stands in which statement.
 */
import { addDays, argentineDay, type Day, type Instant } from '../argentine-time.ts'
import type { DayAvailability } from '../availability.ts'
import type { Mode } from '../board.ts'
import type { Price } from '../price.ts'
import type { StatusWord } from '../status.ts'
import { addAvailability } from './availability.ts'
import { type DueChart, dueCharts, dueChartsStatement } from './charts.ts'
import { type CurrentQuote, inCatalogueOrder } from './quotes.ts'
import type { currentQuotes, quarantine } from './schema.ts'

/** Longer than a cycle in which every request times out, retries included. */
export const LEASE_MS = 120_000

export type QuarantineRow = typeof quarantine.$inferSelect

/** What a reader needs of the last cycle when there is no board. */
export interface CycleSummary {
  at: Instant
  mode: Mode
  everySeconds: number
  anySourceAnswered: boolean
  /** As the board of that cycle said it. Absent in rows written before it was kept. */
  status?: StatusWord
}

/** What a cycle starts from. */
export interface CycleState {
  /** Fences the writes of this cycle. */
  token: string
  quotes: CurrentQuote[]
  /** JSON as stored; null before the first cycle. Their owners parse them and tolerate garbage. */
  guard: string | null
  sources: string | null
  last: CycleSummary | null
  /** Open rows: held, or with an operator's word on them. */
  quarantine: QuarantineRow[]
  /** The chart documents to draw, with what they show. */
  dueCharts: DueChart[]
  /** The last Argentine day that they show. */
  lastClosedDay: Day
}

/**
 * Takes the cycle's lease and reads the state, in one round trip. Null when another cycle holds
 * the lease, or when this one or a later one was already recorded (crons come twice, clocks go
 * back). A lease that ends later than any taken now could is left from a wrong clock: expired.
 */
export async function openCycle(
  binding: D1Database,
  { token, now, scheduledAt }: { token: string; now: Instant; scheduledAt: Instant },
): Promise<CycleState | null> {
  const today = argentineDay(now)
  const [leases, quotes, states, open, charts] = (await binding.batch([
    binding
      .prepare(
        `INSERT INTO leases (name, token, until, last_run) VALUES ('cycle', ?1, ?2, -1)
         ON CONFLICT (name) DO UPDATE SET token = excluded.token, until = excluded.until
           WHERE (leases.until <= ?3 OR leases.until > ?2) AND leases.last_run < ?4
         RETURNING token`,
      )
      .bind(token, now + LEASE_MS, now, scheduledAt),
    binding.prepare(
      `SELECT pair, buy, sell, source, updated_at AS updatedAt, last_scraped_at AS lastScrapedAt,
         reference_sell AS referenceSell FROM current_quotes`,
    ),
    binding.prepare('SELECT guard, sources, cycle FROM scraper_state'),
    binding.prepare(
      `SELECT id, pair, buy, sell, source, reason, status, first_seen_at AS firstSeenAt,
         last_seen_at AS lastSeenAt, resolved_at AS resolvedAt FROM quarantine
       WHERE status IN ('held', 'accepted', 'rejected') AND resolved_at IS NULL`,
    ),
    dueChartsStatement(binding, today),
  ])) as [D1Result, D1Result, D1Result, D1Result, D1Result]
  if (leases.results.length === 0) return null

  const state = states.results[0] as { guard: string; sources: string; cycle: string } | undefined
  return {
    token,
    quotes: inCatalogueOrder(quotes.results as (typeof currentQuotes.$inferSelect)[]),
    guard: state?.guard ?? null,
    sources: state?.sources ?? null,
    last: parseSummary(state?.cycle),
    quarantine: open.results as QuarantineRow[],
    dueCharts: dueCharts(charts),
    lastClosedDay: addDays(today, -1),
  }
}

/** Null for what cannot be read: the last cycle's summary must not stop the next cycle. */
function parseSummary(text: string | undefined): CycleSummary | null {
  try {
    return JSON.parse(text ?? 'null') as CycleSummary | null
  } catch {
    return null
  }
}

/** What a cycle writes. */
export interface CycleRecord {
  token: string
  scheduledAt: Instant
  /** When the cycle looked: the instant of its points and confirmations. */
  at: Instant
  /** The new rows of every pair that was confirmed or changed. */
  quotes: CurrentQuote[]
  /** The pairs of `quotes` whose value changed, with the value that was in effect before. */
  changes: { quote: CurrentQuote; previous: CurrentQuote | null }[]
  quarantine: QuarantineWrite[]
  guard: string
  sources: string
  summary: CycleSummary
  /** What the time since the last cycle adds to each day. */
  availability: DayAvailability[]
}

export type QuarantineWrite =
  | { kind: 'hold'; pair: number; buy: Price; sell: Price; source: string; reason: string }
  | { kind: 'seen'; id: number; buy: Price; sell: Price; reason: string }
  | { kind: 'resolve'; id: number; status: 'accepted' | 'rejected' | 'released' | 'dropped' }

/** Thrown by a batch whose cycle lost its lease: nothing of it was written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/**
 * Writes a cycle, all or nothing: points of the changed pairs, current rows, candles, quarantine,
 * memory, and `extra` (the deliveries of the changes). Fenced by the lease's token, so that a cycle
 * that was overtaken writes nothing. Returns the results of `extra`, in order.
 */
export async function recordCycle(
  binding: D1Database,
  record: CycleRecord,
  extra: D1PreparedStatement[],
): Promise<D1Result[]> {
  const own = [
    fence(binding, record.token),
    insertPoints(binding, record),
    upsertQuotes(binding, record.quotes),
    upsertCandles(binding, record),
    ...record.quarantine.map((write) => quarantineStatement(binding, write, record.at)),
    binding
      .prepare(
        `INSERT INTO scraper_state (id, guard, sources, cycle) VALUES (1, ?1, ?2, ?3)
         ON CONFLICT (id) DO UPDATE SET guard = ?1, sources = ?2, cycle = ?3`,
      )
      .bind(record.guard, record.sources, JSON.stringify(record.summary)),
    addAvailability(binding, record.availability),
    binding
      .prepare(`UPDATE leases SET last_run = ?1 WHERE name = 'cycle'`)
      .bind(record.scheduledAt),
  ]
  try {
    return (await binding.batch([...own, ...extra])).slice(own.length)
  } catch (error) {
    if (String(error).includes('malformed JSON')) throw new LeaseLost('cycle lease lost')
    throw error
  }
}

/** Gives the lease back, so that the next cycle need not wait for it to expire. */
export async function closeCycle(binding: D1Database, token: string): Promise<void> {
  await binding
    .prepare(`UPDATE leases SET until = 0 WHERE name = 'cycle' AND token = ?1`)
    .bind(token)
    .run()
}

/** Aborts the whole batch when the lease is another's: D1 has no other way to stop one. */
function fence(binding: D1Database, token: string): D1PreparedStatement {
  return binding
    .prepare(
      `SELECT CASE WHEN EXISTS (SELECT 1 FROM leases WHERE name = 'cycle' AND token = ?1)
         THEN 1 ELSE json('lease lost') END`,
    )
    .bind(token)
}

function insertPoints(binding: D1Database, { changes, at }: CycleRecord): D1PreparedStatement {
  const rows = changes.map(({ quote }) => [quote.pair.id, quote.buy, quote.sell, quote.source])
  return binding
    .prepare(
      `INSERT INTO points (pair, at, buy, sell, source)
       SELECT value ->> 0, ?1, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?2)`,
    )
    .bind(at, JSON.stringify(rows))
}

function upsertQuotes(binding: D1Database, quotes: CurrentQuote[]): D1PreparedStatement {
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
function upsertCandles(binding: D1Database, { changes, at }: CycleRecord): D1PreparedStatement {
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

function quarantineStatement(
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
          `UPDATE quarantine SET buy = ?2, sell = ?3, reason = ?4, last_seen_at = ?5
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
