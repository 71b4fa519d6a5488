import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * For which times of a pair imported data was taken in: `daily` closes cover whole Argentine days,
 * `timed` series from their first to their last row. Only changes are stored as points, so the
 * points alone cannot tell a value that was confirmed from a time of which nothing is known.
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
