import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** One row: where this database is in service, and a text that checks its keys. */
export const installation = sqliteTable(
  'installation',
  {
    id: integer().primaryKey(),
    /** The file of the state folder, or the deployment; null before the first start. */
    place: text(),
    /** Whether deliveries, notices and alert e-mails go out. False in a copy, until allowed. */
    delivers: integer({ mode: 'boolean' }).notNull().default(true),
    /** A text sealed with KEY_ENCRYPTION_KEYS, which only the right keyring opens. */
    sealed: text(),
  },
  (table) => [check('installation_single', sql`${table.id} = 1`)],
)
