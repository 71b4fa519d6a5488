/** The scraper's cycle in the database: its lease, its state and its one batch of writes. */
import { addDays, argentineDay, type Day, type Instant } from '../../argentine-time.ts'
import type { Pair } from '../../market/catalog.ts'
import { addAvailability, trimAvailability } from './availability.ts'
import { type DueChart, dueCharts, dueChartsStatement } from './charts.ts'
import {
  insertPoints,
  quarantineStatement,
  upsertCandles,
  writeQuotes,
} from './cycle-statements.ts'
import { type CycleRecord, type CycleSummary, parseSummary } from './cycle-record.ts'
import { raiseHistoryStatement } from './history-revision.ts'
import { confirmedAt } from './last-scraped.ts'
import { UNRESOLVED } from './quarantine.ts'
import type { CurrentQuote } from './quotes.ts'
import { quotesNow, quotesNowStatement } from './quotes-now.ts'
import type { quarantine } from '../schema.ts'

/** Longer than a cycle in which every request times out, retries included. */
export const LEASE_MS = 120_000

export type QuarantineRow = typeof quarantine.$inferSelect

/** What a cycle starts from. */
export interface CycleState {
  /** Fences the writes of this cycle. */
  token: string
  /** As this clock sees them: none of their instants is later than the cycle. */
  quotes: CurrentQuote[]
  /** The last points of pairs that were only imported. The cycle continues from them. */
  begun: CurrentQuote[]
  /** Pairs with a value of the future. Nothing is recorded of them until it is past. */
  ahead: Pair[]
  /** JSON as stored; null before the first cycle. Their owners parse them and tolerate garbage. */
  guard: string | null
  sources: string | null
  last: CycleSummary | null
  /** Unresolved rows: held, or overridden by an operator. */
  quarantine: QuarantineRow[]
  /** The chart documents to draw, with what they show. */
  dueCharts: DueChart[]
  /** The last Argentine day that they show. */
  lastClosedDay: Day
}

/**
 * Takes the cycle's lease and reads the state, in one round trip. Null when another cycle holds the
 * lease, or when this run or a later one is recorded already, for crons may fire twice. A lease or a
 * run later than any that could exist now comes from a wrong clock and is ignored.
 */
export async function openCycle(
  binding: D1Database,
  { token, now, scheduledAt }: { token: string; now: Instant; scheduledAt: Instant },
): Promise<CycleState | null> {
  const today = argentineDay(now)
  const [leases, states, open, charts, quotes] = (await binding.batch([
    binding
      .prepare(
        `insert into leases (name, token, until, last_run) values ('cycle', ?1, ?2, -1)
         on conflict (name) do update set token = excluded.token, until = excluded.until
           where (leases.until <= ?3 or leases.until > ?2)
             and (leases.last_run < ?4 or leases.last_run > ?2)
         returning token`,
      )
      .bind(token, now + LEASE_MS, now, scheduledAt),
    binding.prepare('select guard, sources, cycle from scraper_state'),
    binding.prepare(
      `select id, pair, buy, sell, source, reason, status, first_seen_at as firstSeenAt,
         last_seen_at as lastSeenAt, resolved_at as resolvedAt from quarantine
       where ${UNRESOLVED}`,
    ),
    dueChartsStatement(binding, today),
    quotesNowStatement(binding, now),
  ])) as [D1Result, D1Result, D1Result, D1Result, D1Result]
  if (leases.results.length === 0) return null

  const state = states.results[0] as { guard: string; sources: string; cycle: string } | undefined
  return {
    token,
    ...quotesNow(quotes, now),
    guard: state?.guard ?? null,
    sources: state?.sources ?? null,
    last: parseSummary(state?.cycle),
    quarantine: open.results as QuarantineRow[],
    dueCharts: dueCharts(charts),
    lastClosedDay: addDays(today, -1),
  }
}

/** Thrown by a batch whose cycle lost its lease: nothing of it was written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/**
 * Writes a cycle, all or nothing: points, current quotes, candles, quarantine, state, and `extra` (the
 * deliveries of the changes). Fenced by the lease's token, so a cycle that lost its lease writes
 * nothing. Returns the results of `extra`, in order.
 */
export async function recordCycle(
  binding: D1Database,
  record: CycleRecord,
  extra: D1PreparedStatement[],
): Promise<D1Result[]> {
  const own = [
    fence(binding, record.token),
    insertPoints(binding, record),
    ...writeQuotes(binding, record),
    // Without a change it would still read two rows.
    ...(record.changes.length > 0 ? [upsertCandles(binding, record)] : []),
    ...record.quarantine.map((write) => quarantineStatement(binding, write, record.at)),
    binding
      .prepare(
        `insert into scraper_state (id, guard, sources, cycle, confirmed_at)
         values (1, ?1, ?2, ?3, ?4)
         on conflict (id) do update set guard = ?1, sources = ?2, cycle = ?3,
           confirmed_at = json_patch(iif(json_valid(confirmed_at), confirmed_at, '{}'), ?4)`,
      )
      .bind(
        record.guard,
        record.sources,
        JSON.stringify(record.summary),
        confirmedAt(record.quotes),
      ),
    addAvailability(binding, record.availability),
    // It may write into a day that its wrong clock had declared over.
    ...(record.cameBack
      ? [...trimAvailability(binding, record.at), raiseHistoryStatement(binding)]
      : []),
    binding
      .prepare(`update leases set last_run = ?1 where name = 'cycle'`)
      .bind(record.scheduledAt),
  ]
  try {
    return (await binding.batch([...own, ...extra])).slice(own.length)
  } catch (error) {
    if (String(error).includes('malformed JSON')) throw new LeaseLost('cycle lease lost')
    throw error
  }
}

/** Releases the lease, so that the next cycle need not wait until it expires. */
export async function closeCycle(binding: D1Database, token: string): Promise<void> {
  await binding
    .prepare(`update leases set until = 0 where name = 'cycle' and token = ?1`)
    .bind(token)
    .run()
}

/** Aborts the batch by a runtime error when another cycle holds the lease. D1 has no other way. */
function fence(binding: D1Database, token: string): D1PreparedStatement {
  return binding
    .prepare(
      `select case when exists (select 1 from leases where name = 'cycle' and token = ?1)
         then 1 else json('lease lost') end`,
    )
    .bind(token)
}
