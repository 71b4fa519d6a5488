import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** One row: where this database is in service, and with which keys. */
export const installation = sqliteTable(
  'installation',
  {
    id: integer().primaryKey(),
    /** Names the state folder's file or the deployment; null before the first start. */
    place: text(),
    /** Whether deliveries, notices and e-mails of alerts go out: not from a copy, unasked. */
    delivers: integer({ mode: 'boolean' }).notNull().default(true),
    /** A text sealed with KEY_ENCRYPTION_KEYS. A keyring that opens it is the right one. */
    sealed: text(),
  },
  (table) => [check('installation_single', sql`${table.id} = 1`)],
)
