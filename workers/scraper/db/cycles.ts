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
import { isOtherMode, markStatement } from '../../../shared/db/quotes/service-mode.ts'
import {
  type CurrentQuote,
  currentQuotes,
  currentQuotesStatement,
  historyRevisionStatement,
} from '../../../shared/db/quotes/quotes.ts'
import { type Recorded, begunQuotes, begunStatement, heldOf, heldStatements } from './recorded.ts'
import type { quarantine as table } from '../../../shared/db/schema.ts'
import type { DueRow } from '../../../shared/webhooks/enqueue.ts'
import type { DayAvailability } from '../../../shared/board/availability.ts'

/** Longer than a cycle in which every request times out, retries included. */
export const LEASE_MS = 120_000

export type QuarantineRow = typeof table.$inferSelect

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
 * Takes the cycle's lease and reads the state, in one round trip. `skipped` when another cycle holds
 * the lease, or when this run or a later one is already recorded: crons may fire twice. A lease or
 * run that is impossibly late comes from a wrong clock and is ignored. `other_mode`, and nothing is
 * taken, when the database has another mode.
 */
export async function openCycle(
  db: D1Database,
  start: { token: string; now: Instant; scheduledAt: Instant; mode: Mode },
): Promise<CycleState | 'skipped' | 'other_mode'> {
  const { token, now, scheduledAt, mode } = start
  const until = now + LEASE_MS
  const states: Statement<Record<'guard' | 'sources' | 'cycle', string>> = db.prepare(
    'select guard, sources, cycle from scraper_state',
  )
  const quarantine: Statement<QuarantineRow> = db.prepare(
    `select id, pair, buy, sell, source, reason, status, first_seen_at as firstSeenAt,
       last_seen_at as lastSeenAt, resolved_at as resolvedAt
     from quarantine where resolved_at is null`,
  )
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
    states,
    quarantine,
    quotes: currentQuotesStatement(db),
    begun: begunStatement(db, now),
    revision: historyRevisionStatement(db),
  })
  const found = await opening.catch((error: unknown) => {
    if (isOtherMode(error)) return 'other_mode' as const
    throw error
  })
  if (found === 'other_mode') return found
  if (found.lease.results.length === 0) return 'skipped'

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

/**
 * Writes a cycle, all or nothing: points, current quotes, candles, quarantine, state, and what follows
 * from them: deliveries, which are to be enqueued, and invoicing. Returns the deliveries, the held
 * pairs, and the revision of the past; null when another cycle took the lease. If the revision
 * differs from the cycle's, values may have been corrected meanwhile.
 */
export async function recordCycle(
  db: D1Database,
  record: CycleRecord,
  { deliveries, invoicing }: { deliveries: Statement<DueRow>[]; invoicing: D1PreparedStatement[] },
): Promise<(Pick<Recorded, 'held' | 'historyRevision'> & { deliveries: DueRow[] }) | null> {
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
    if (String(error).includes('lease lost')) return null
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
