/** The scraper's cycle in the database: its lease, its state and its one batch of writes. */
import type { Instant } from '../../../shared/argentine-time.ts'
import type { Mode } from '../../../shared/board/board.ts'
import { type Statement, namedBatch } from '../../../shared/db/named-batch.ts'
import {
  insertPoints,
  makeQuotes,
  quarantineStatement,
  setSources,
  upsertCandles,
  writeState,
} from './cycle-statements.ts'
import {
  type CycleRecord,
  type CycleSummary,
  parseSummary,
} from '../../../shared/db/quotes/cycle-record.ts'
import { markError, markStatement } from '../../../shared/db/quotes/service-mode.ts'
import {
  type CurrentQuote,
  currentQuotes,
  currentQuotesStatement,
  historyRevisionStatement,
} from '../../../shared/db/quotes/quotes.ts'
import { type Recorded, begunQuotes, begunStatement, heldOf, heldStatements } from './recorded.ts'
import type { quarantine } from '../../../shared/db/schema.ts'
import type { DueRow } from '../../../shared/webhooks/enqueue.ts'
import type { DayAvailability } from '../../../shared/board/availability.ts'

/** Longer than a cycle in which every request times out, retries included. */
export const LEASE_MS = 120_000

export type QuarantineRow = typeof quarantine.$inferSelect

/** The state from which a cycle starts. */
export interface CycleState {
  /** Fences the writes of this cycle. */
  token: string
  quotes: CurrentQuote[]
  /** The last points of pairs that were only imported. The cycle continues from them. */
  begun: CurrentQuote[]
  /** JSON as stored; null before the first cycle. Their parsers tolerate garbage. */
  guard: string | null
  sources: string | null
  last: CycleSummary | null
  /** Unresolved rows: held, or overridden by an operator. */
  quarantine: QuarantineRow[]
  /** The end of the lease. A board published later may be older than the one it replaces. */
  until: Instant
  /** The revision of the past. */
  historyRevision: number | undefined
}

/**
 * Takes the cycle's lease and reads the state, in one round trip. Null when another cycle holds the
 * lease, or when this run or a later one is already recorded: crons may fire twice. A lease or run
 * that is impossibly late comes from a wrong clock and is ignored. Throws `OtherMode`, and takes
 * nothing, when the database has another mode.
 */
export async function openCycle(
  db: D1Database,
  start: { token: string; now: Instant; scheduledAt: Instant; mode: Mode },
): Promise<CycleState | null> {
  const { token, now, scheduledAt, mode } = start
  const until = now + LEASE_MS
  const opening = namedBatch(db, {
    mode: markStatement(db, mode),
    lease: db
      .prepare(
        `insert into leases (name, token, until, last_run) values ('cycle', ?1, ?2, -1)
         on conflict (name) do update set token = excluded.token, until = excluded.until
           where (leases.until <= ?3 or leases.until > ?2)
             and (leases.last_run < ?4 or leases.last_run > ?2)
         returning token`,
      )
      .bind(token, until, now, scheduledAt),
    states: stateStatement(db),
    quarantine: unresolvedStatement(db),
    quotes: currentQuotesStatement(db),
    begun: begunStatement(db, now),
    revision: historyRevisionStatement(db),
  })
  const found = await opening.catch((error: unknown) => {
    throw markError(error)
  })
  if (found.lease.results.length === 0) return null

  const [state] = found.states.results
  return {
    token,
    quotes: currentQuotes(found.quotes),
    begun: begunQuotes(found.begun),
    guard: state?.guard ?? null,
    sources: state?.sources ?? null,
    last: parseSummary(state?.cycle),
    quarantine: found.quarantine.results,
    until,
    historyRevision: found.revision.results[0]?.revision,
  }
}

function stateStatement(
  db: D1Database,
): Statement<{ guard: string; sources: string; cycle: string }> {
  return db.prepare('select guard, sources, cycle from scraper_state')
}

function unresolvedStatement(db: D1Database): Statement<QuarantineRow> {
  return db.prepare(
    `select id, pair, buy, sell, source, reason, status, first_seen_at as firstSeenAt,
       last_seen_at as lastSeenAt, resolved_at as resolvedAt
     from quarantine where resolved_at is null`,
  )
}

/** Thrown by a batch whose cycle lost its lease: nothing of it was written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** What a cycle's batch writes besides the cycle's own rows. */
export interface Consequences {
  /** Statements that make deliveries and fire alerts; their rows are to be enqueued. */
  deliveries: Statement<DueRow>[]
  invoicing: D1PreparedStatement[]
}

/**
 * Writes a cycle, all or nothing: points, current quotes, candles, quarantine, state, and what follows
 * from them. Returns the deliveries that it made, the held pairs, and the revision of the past. If that
 * differs from the cycle's, values may have been corrected meanwhile.
 *
 * @throws {LeaseLost} when another cycle took the lease.
 */
export async function recordCycle(
  db: D1Database,
  record: CycleRecord,
  { deliveries, invoicing }: Consequences,
): Promise<Pick<Recorded, 'held' | 'historyRevision'> & { deliveries: DueRow[] }> {
  try {
    const written = await namedBatch(db, {
      // Aborts the batch when the lease's token is another one (trigger `leases_lost`).
      lease: db
        .prepare(`update leases set token = ?1, last_run = ?2 where name = 'cycle'`)
        .bind(record.token, record.scheduledAt),
      points: insertPoints(db, record),
      quotes: makeQuotes(db, record),
      sources: setSources(db, record),
      candles: upsertCandles(db, record),
      quarantine: record.quarantine.map((write) => quarantineStatement(db, write, record.at)),
      state: writeState(db, record),
      availability: addAvailability(db, record.availability),
      deliveries,
      invoicing,
      ...heldStatements(db),
    })
    return { deliveries: written.deliveries.flatMap(({ results }) => results), ...heldOf(written) }
  } catch (error) {
    if (String(error).includes('lease lost')) throw new LeaseLost('cycle lease lost')
    throw error
  }
}

/**
 * Releases the lease for the next cycle. Returns the revision of the past; null when another cycle
 * has the lease, so that this cycle's board may be outdated.
 */
export async function closeCycle(db: D1Database, token: string): Promise<number | null> {
  const released = await db
    .prepare(
      `update leases set until = 0 where name = 'cycle' and token = ?1
       returning (select revision from history_revision) as revision`,
    )
    .bind(token)
    .first<{ revision: number }>()
  return released?.revision ?? null
}

/** Adds times to their days, for the batch of a cycle. Writes one row, at midnight two. */
export function addAvailability(
  db: D1Database,
  days: readonly DayAvailability[],
): D1PreparedStatement {
  return db
    .prepare(
      `insert into availability (day, ok, degraded, down)
       select value ->> 'day', value ->> 'ok', value ->> 'degraded', value ->> 'down'
       from json_each(?1) where true
       on conflict (day) do update set ok = ok + excluded.ok,
         degraded = degraded + excluded.degraded, down = down + excluded.down`,
    )
    .bind(JSON.stringify(days))
}
