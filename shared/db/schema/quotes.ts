import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  sqliteView,
  text,
} from 'drizzle-orm/sqlite-core'
import { MODES } from '../../board/board.ts'

/**
 * One row per change of value, for ever. WITHOUT ROWID: the key is the table, so that the value
 * in effect at an instant is one seek.
 */
export const points = sqliteTable(
  'points',
  {
    pair: integer().notNull(),
    at: integer().notNull(),
    buy: integer().notNull(),
    sell: integer().notNull(),
    /** The source of the value, or `import:<file kind>`. */
    source: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.pair, table.at] })],
)

/** The value in effect of each pair, with what the next cycle needs. */
export const currentQuotes = sqliteTable('current_quotes', {
  pair: integer().primaryKey(),
  buy: integer().notNull(),
  sell: integer().notNull(),
  source: text().notNull(),
  /** When the value in effect was first seen. */
  updatedAt: integer().notNull(),
  /** The last sell before the Argentine midnight of the day of `updated_at`. */
  referenceSell: integer(),
})

/**
 * The values in effect with their last confirmation by a cycle; without a confirmation, the instant
 * of the value.
 */
export const confirmedQuotes = sqliteView('confirmed_quotes', {})
  .as(sql`select q.pair, q.buy, q.sell, q.source, q.updated_at, q.reference_sell, coalesce(
    (select confirmed_at from scraper_state where json_valid(confirmed_at))
      ->> cast(q.pair as text), q.updated_at) as last_scraped_at
  from current_quotes q`)

/** One row: what the scraper remembers from cycle to cycle, apart from the quotes (JSON). */
export const scraperState = sqliteTable(
  'scraper_state',
  {
    id: integer().primaryKey(),
    /** Guard memory per pair (workers/scraper/guard). */
    guard: text().notNull(),
    /** Health and next request per source (workers/scraper/collect). */
    sources: text().notNull(),
    /** The last cycle (CycleSummary), for readers when the board cannot be trusted. */
    cycle: text().notNull(),
    /**
     * The last cycle in which a source confirmed each pair (JSON, by the pair's id). It is here so
     * that a cycle without a change writes one row, not one per pair.
     */
    confirmedAt: text().notNull(),
  },
  (table) => [check('scraper_state_single', sql`${table.id} = 1`)],
)

/** One row: the mode that the first cycle marked the database with. A trigger keeps it for ever. */
export const serviceMode = sqliteTable(
  'service_mode',
  {
    id: integer().primaryKey(),
    mode: text({ enum: MODES }).notNull(),
  },
  (table) => [check('service_mode_single', sql`${table.id} = 1`)],
)

/** Values that the guard held back, and their outcome. */
export const quarantine = sqliteTable(
  'quarantine',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    pair: integer().notNull(),
    buy: integer().notNull(),
    sell: integer().notNull(),
    source: text().notNull(),
    reason: text().notNull(),
    /**
     * `held` waits; `accepted` and `rejected` are an operator's override; `released` was confirmed
     * and published; `dropped` is no longer quoted.
     */
    status: text({ enum: ['held', 'accepted', 'rejected', 'released', 'dropped'] }).notNull(),
    firstSeenAt: integer().notNull(),
    lastSeenAt: integer().notNull(),
    /** Null while the value is held, or while an operator's override is in effect. */
    resolvedAt: integer(),
  },
  (table) => [
    index('quarantine_open')
      .on(table.pair)
      .where(sql`resolved_at is null`),
  ],
)

/**
 * Keeps two runs from overlapping. A run records under its token: a trigger aborts the batch that
 * writes `last_run` with a token that is not the row's (`lease lost`).
 */
export const leases = sqliteTable('leases', {
  name: text().primaryKey(),
  token: text().notNull(),
  until: integer().notNull(),
  /** The scheduled instant of the last run that committed; the same or an older one is skipped. */
  lastRun: integer().notNull(),
})

/**
 * The daily closes: one row per pair and Argentine day with a change. `open` is the value in effect
 * at the start of the day, `close` at its end; they and `high` and `low` are of `sell`. Days
 * without a row carry the last close forward.
 */
export const dailyCandles = sqliteTable(
  'daily_candles',
  {
    pair: integer().notNull(),
    /** Argentine day, `YYYY-MM-DD`. */
    day: text().notNull(),
    open: integer().notNull(),
    high: integer().notNull(),
    low: integer().notNull(),
    close: integer().notNull(),
    /** The day's last buy. */
    buy: integer().notNull(),
    /** The same of `buy`. */
    buyOpen: integer().notNull(),
    buyHigh: integer().notNull(),
    buyLow: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.pair, table.day] })],
)

/** One row: grows with every change of the past by an import or by hand. */
export const historyRevision = sqliteTable(
  'history_revision',
  {
    id: integer().primaryKey(),
    /** At least the milliseconds of the second in which it grew. */
    revision: integer().notNull(),
  },
  (table) => [check('history_revision_single', sql`${table.id} = 1`)],
)

/** Every manual change of history, with its reason. */
export const corrections = sqliteTable('corrections', {
  id: integer().primaryKey({ autoIncrement: true }),
  madeAt: integer().notNull(),
  action: text({ enum: ['replace', 'remove'] }).notNull(),
  pair: integer().notNull(),
  pointAt: integer().notNull(),
  oldBuy: integer(),
  oldSell: integer(),
  newBuy: integer(),
  newSell: integer(),
  reason: text().notNull(),
})

/**
 * The times of a pair for which data was imported: `daily` closes cover whole Argentine days,
 * `timed` series from their first to their last row. Only changes are stored as points, so the
 * points alone do not tell a confirmed value from a time without data.
 */
export const importCoverage = sqliteTable(
  'import_coverage',
  {
    pair: integer().notNull(),
    kind: text({ enum: ['daily', 'timed'] }).notNull(),
    fromAt: integer().notNull(),
    /** Inclusive. */
    toAt: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.pair, table.kind, table.fromAt] })],
)

/** One row per Argentine day: milliseconds in each state (shared/board/availability.ts). */
export const availability = sqliteTable('availability', {
  /** `YYYY-MM-DD`. */
  day: text().primaryKey(),
  ok: integer().notNull(),
  degraded: integer().notNull(),
  down: integer().notNull(),
})
