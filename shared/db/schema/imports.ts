import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

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
