/** The scraper's cycle in the database: lease, state, the one batch of writes, and the board. */
import type { Instant } from '../../../shared/argentine-time.ts'
import type { Mode } from '../../../shared/board/board.ts'
import { namedBatch, type ResultsOf, type Statement } from '../../../shared/db/named-batch.ts'
import {
  insertPoints,
  makeQuotes,
  quarantineStatement,
  setSources,
  upsertCandles,
  writeState,
} from './cycle-statements.ts'
import {
  type CurrentQuote,
  type CycleRecord,
  type CycleSummary,
  currentQuotes,
  currentQuotesStatement,
  historyRevisionStatement,
  parseSummary,
} from '../../../shared/db/quotes/quotes.ts'
import { isOtherMode, setModeStatement } from '../../../shared/db/quotes/service-mode.ts'
import { pairById, pairKey, type PairKey, PAIRS } from '../../../shared/market/catalog.ts'
import type { Price } from '../../../shared/market/price.ts'
import type { quarantine as table } from '../../../shared/db/schema.ts'
import type { DueRow } from '../../../shared/webhooks/enqueue.ts'
import type { DayAvailability } from '../../../shared/board/availability.ts'

/** The lease is longer than a cycle in which every request and every retry times out. */
export const LEASE_MS = 120_000

export type QuarantineRow = typeof table.$inferSelect

/** The state from which a cycle starts. */
export interface CycleState {
  /** Fences the writes of this cycle. */
  token: string
  quotes: CurrentQuote[]
  /** The last points of pairs that were only imported. The cycle continues from them. */
  begun: CurrentQuote[]
  /** Stored JSON; null before the first cycle. The parsers accept a malformed text. */
  guard: string | null
  sources: string | null
  last: CycleSummary | null
  /** Unresolved rows: held, or overridden by an operator. */
  quarantine: QuarantineRow[]
  /** The end of the lease. A board published later may be older than the board it replaces. */
  until: Instant
  /** The revision of history. */
  historyRevision: number | undefined
}

/**
 * Takes the cycle's lease and reads the state, in one round trip. Returns `skipped` when another
 * cycle has the lease, or when this run or a later run is already recorded, because crons may fire
 * twice. A lease or run too far in the future comes from a wrong clock and is ignored. Returns
 * `other_mode`, and takes nothing, when the database has another mode.
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
    mode: setModeStatement(db, mode),
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
 * The last point of each pair that has imported points but was never quoted. The point counts as
 * confirmed until the import's coverage ends, because only changes are points. `begunQuotes` reads
 * the result.
 */
function begunStatement(db: D1Database, now: Instant): Statement<BegunRow> {
  return db
    .prepare(
      `select p.pair, p.at as updatedAt, p.buy, p.sell, p.source,
         (select sell from points where pair = p.pair and at < p.at - (p.at - 10800000) % 86400000
           order by at desc limit 1) as referenceSell,
         (select max(min(to_at, ?2)) from import_coverage
           where pair = p.pair and from_at <= ?2) as coveredUntil
       from json_each(?1) as requested join points as p on p.pair = requested.value
         and p.at = (select max(at) from points where pair = requested.value)
       where not exists (select 1 from current_quotes where pair = requested.value)`,
    )
    .bind(JSON.stringify(PAIRS.map(({ id }) => id)), now)
}

/** The quotes of these points, in catalogue order. */
function begunQuotes({ results }: D1Result<BegunRow>): CurrentQuote[] {
  return results.map(({ pair, coveredUntil, ...row }) => ({
    ...row,
    pair: pairById(pair)!,
    lastScrapedAt: Math.max(row.updatedAt, coveredUntil ?? row.updatedAt),
  }))
}

interface BegunRow {
  pair: number
  updatedAt: Instant
  buy: Price
  sell: Price
  source: string
  referenceSell: Price | null
  coveredUntil: Instant | null
}

/**
 * Writes a cycle, all or nothing: points, current quotes, candles, quarantine, state, deliveries
 * and invoicing rates. Returns the deliveries to enqueue, the held pairs and the revision of
 * history; null when another cycle took the lease. If the revision differs from the revision that
 * the cycle read, values may have been corrected meanwhile.
 */
export async function recordCycle(
  db: D1Database,
  record: CycleRecord,
  { deliveries, invoicing }: { deliveries: Statement<DueRow>[]; invoicing: D1PreparedStatement[] },
): Promise<(Pick<Recorded, 'held' | 'historyRevision'> & { deliveries: DueRow[] }) | null> {
  try {
    const written = await namedBatch(db, {
      // Aborts the batch when the lease has another token (trigger `leases_lost`).
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
 * Releases the lease for the next cycle. Returns the revision of history; null when another cycle
 * has the lease, which means that this cycle's board may be outdated.
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

/** Adds times to the availability of their days. Writes one row, or two at midnight. */
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

/** The content of the board, as the tables have it. */
export interface Recorded {
  mode: Mode
  last: CycleSummary
  /** The `SourcesState`, as JSON. */
  sources: string | null
  quotes: CurrentQuote[]
  /** The pairs with a value that is held back. */
  held: ReadonlySet<PairKey>
  historyRevision: number | undefined
}

/** The statements that every cycle runs after its writes, in its batch. */
function heldStatements(db: D1Database) {
  const held: Statement<{ pair: number }> = db.prepare(
    'select pair from quarantine where resolved_at is null',
  )
  return { held, revision: historyRevisionStatement(db) }
}

function heldOf({
  held,
  revision,
}: ResultsOf<typeof heldStatements>): Pick<Recorded, 'held' | 'historyRevision'> {
  const pairs = held.results.map(({ pair }) => pairById(pair))
  return {
    held: new Set(pairs.flatMap((pair) => (pair ? [pairKey(pair)] : []))),
    historyRevision: revision.results[0]?.revision,
  }
}

/** Reads the content of the board; null before the first cycle. */
export async function readRecorded(db: D1Database): Promise<Recorded | null> {
  const states: Statement<{ sources: string; cycle: string; mode: Mode }> = db.prepare(
    'select sources, cycle, mode from scraper_state, service_mode',
  )
  const found = await namedBatch(db, {
    states,
    quotes: currentQuotesStatement(db),
    ...heldStatements(db),
  })
  const [state] = found.states.results
  const last = parseSummary(state?.cycle)
  if (!state || !last) return null

  const { mode, sources } = state
  return { mode, last, sources, quotes: currentQuotes(found.quotes), ...heldOf(found) }
}
