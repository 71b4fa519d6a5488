import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** One row per Argentine day: milliseconds in each state (shared/board/availability.ts). */
export const availability = sqliteTable('availability', {
  /** `YYYY-MM-DD`. */
  day: text().primaryKey(),
  ok: integer().notNull(),
  degraded: integer().notNull(),
  down: integer().notNull(),
})
