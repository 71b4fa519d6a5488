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
 * One row per change of value, for ever. The table is WITHOUT ROWID, so that one seek finds and
 * reads the value in effect at an instant.
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

/** The current value of each pair, with the data that the next cycle needs. */
export const currentQuotes = sqliteTable('current_quotes', {
  pair: integer().primaryKey(),
  buy: integer().notNull(),
  sell: integer().notNull(),
  source: text().notNull(),
  /** When a cycle first saw the current value. */
  updatedAt: integer().notNull(),
  /** The last sell before the day of `updated_at` began in Argentina. */
  referenceSell: integer(),
})

/**
 * The current values with their last confirmation by a cycle; without a confirmation, the instant
 * of the value.
 */
export const confirmedQuotes = sqliteView('confirmed_quotes', {})
  .as(sql`select q.pair, q.buy, q.sell, q.source, q.updated_at, q.reference_sell, coalesce(
    (select confirmed_at from scraper_state where json_valid(confirmed_at))
      ->> cast(q.pair as text), q.updated_at) as last_scraped_at
  from current_quotes q`)

/** One row: the state of the scraper between two cycles, except the quotes. JSON texts. */
export const scraperState = sqliteTable(
  'scraper_state',
  {
    id: integer().primaryKey(),
    /** Guard memory per pair (workers/scraper/guard). */
    guard: text().notNull(),
    /** Health and next request per source (workers/scraper/collect). */
    sources: text().notNull(),
    /** The last cycle (`CycleSummary`), for readers without a trusted board. */
    cycle: text().notNull(),
    /**
     * The last cycle in which a source confirmed each pair (JSON, by the pair's id). Stored in this
     * row, so that a cycle without a change writes one row and not one row per pair.
     */
    confirmedAt: text().notNull(),
  },
  (table) => [check('scraper_state_single', sql`${table.id} = 1`)],
)

/** One row: the mode that the first cycle or backfill set. A trigger prevents any change. */
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
     * `held`: waits. `accepted`, `rejected`: an operator's override. `released`: was confirmed and
     * published. `dropped`: no source quotes it any more.
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
 * Leases that keep two runs from overlapping. A run records with its token: if a batch writes
 * `last_run` with another token than the row's, a trigger aborts the batch (`lease lost`).
 */
export const leases = sqliteTable('leases', {
  name: text().primaryKey(),
  token: text().notNull(),
  until: integer().notNull(),
  /** The scheduled instant of the last run that committed. The same or an older run is skipped. */
  lastRun: integer().notNull(),
})

/**
 * The daily candles: one row per pair and Argentine day with a change. `open` is the `sell` in
 * effect at the start of the day, `close` at its end; `high` and `low` are also of `sell`. A day
 * without a row has the close of the day before it.
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
    /** Open, high and low of `buy`. */
    buyOpen: integer().notNull(),
    buyHigh: integer().notNull(),
    buyLow: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.pair, table.day] })],
)

/** One row: the revision grows with every change of history by an import or by hand. */
export const historyRevision = sqliteTable(
  'history_revision',
  {
    id: integer().primaryKey(),
    /** At least the instant of the last growth, in ms rounded down to a second. */
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
 * `timed` series the time from their first to their last row. Needed because points are only
 * changes: they do not show whether a value was confirmed or data is missing.
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
