import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * The owners of keys and webhooks, which are the users of the sign-in library. The library writes
 * `Date`s, so two columns have the timestamp mode (milliseconds in UTC, like all others).
 */
export const accounts = sqliteTable(
  'accounts',
  {
    /** UUID, lower case. */
    id: text().primaryKey(),
    name: text().notNull(),
    /** Lower case, so that all spellings of an address are one account. */
    email: text().notNull().unique(),
    emailVerified: integer({ mode: 'boolean' }).notNull(),
    image: text(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer({ mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [check('accounts_email_lower', sql`${table.email} = lower(${table.email})`)],
)

/**
 * An API key and its minute counters in one row, so that one seek finds, checks and counts a
 * request, a rotation keeps the counters, and no old counters need deletion.
 */
export const apiKeys = sqliteTable(
  'api_keys',
  {
    /** UUID, lower case. */
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** The part of the key that lists show. Not unique. */
    prefix: text().notNull(),
    /** SHA-256 of the whole key, lower-case hex. The key itself is not stored. */
    hash: text().notNull().unique(),
    /** Imported from the predecessor and not rotated since: it may have any format. */
    inherited: integer({ mode: 'boolean' }).notNull(),
    createdAt: integer().notNull(),
    /** Argentine day of the last accepted request. */
    lastUsedDay: text(),
    /** The UTC minute (minutes since 1970) of the two counters below. */
    quotaMinute: integer().notNull().default(0),
    /** Requests accepted in that minute. */
    quotaUsed: integer().notNull().default(0),
    /** How many of them were webhook management or the key check. */
    quotaManaged: integer().notNull().default(0),
  },
  (table) => [index('api_keys_account').on(table.accountId)],
)

/** One row: the private requests accepted in a UTC day, of all keys together. */
export const privateBudget = sqliteTable(
  'private_budget',
  {
    id: integer().primaryKey(),
    /** Days since 1970 in UTC. */
    day: integer().notNull(),
    used: integer().notNull(),
  },
  (table) => [check('private_budget_single', sql`${table.id} = 1`)],
)

/**
 * One mark for each key and webhook imported from the predecessor. A second import skips them, even
 * after a key was rotated or revoked.
 */
export const importMarks = sqliteTable(
  'import_marks',
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['key', 'webhook'] }).notNull(),
    /** The key's hash as it was imported, or the webhook's id in the predecessor. */
    reference: text().notNull(),
    createdAt: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind, table.reference] })],
)
