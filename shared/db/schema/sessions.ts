import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts.ts'

/*
 * The tables of the sign-in library. Its field names are the keys here; its `Date`s are stored as
 * milliseconds in UTC. A comment names each column that it requires and that we leave empty.
 */

/** A signed-in browser. The cookie holds the token and a signature with SESSION_SECRET. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    token: text().notNull(),
    expiresAt: integer({ mode: 'timestamp_ms' }).notNull(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer({ mode: 'timestamp_ms' }).notNull(),
    /** Always null: we keep no trace of where someone signs in. */
    ipAddress: text(),
    /** Always null, likewise. */
    userAgent: text(),
  },
  (table) => [
    uniqueIndex('sessions_token').on(table.token),
    index('sessions_account').on(table.accountId),
    index('sessions_expiry').on(table.expiresAt),
  ],
)

/** An account at a provider (GitHub) that opens one of ours. Its tokens are never kept. */
export const identities = sqliteTable(
  'identities',
  {
    id: text().primaryKey(),
    /** Not `accountId`, because the library has a field of that name, which is our `subject`. */
    ownerId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    provider: text().notNull(),
    /** The account's id at the provider. */
    subject: text().notNull(),
    /**
     * This and the six below are always null: we make no request to the provider after the sign-in.
     */
    accessToken: text(),
    refreshToken: text(),
    idToken: text(),
    accessTokenExpiresAt: integer({ mode: 'timestamp_ms' }),
    refreshTokenExpiresAt: integer({ mode: 'timestamp_ms' }),
    scope: text(),
    password: text(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer({ mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    uniqueIndex('identities_subject').on(table.provider, table.subject),
    index('identities_account').on(table.ownerId),
  ],
)

/** Sign-in links not yet used, by the hash of their token, and GitHub sign-ins under way. */
export const verifications = sqliteTable(
  'verifications',
  {
    id: text().primaryKey(),
    identifier: text().notNull(),
    value: text().notNull(),
    expiresAt: integer({ mode: 'timestamp_ms' }).notNull(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer({ mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    index('verifications_identifier').on(table.identifier),
    index('verifications_expiry').on(table.expiresAt),
  ],
)

/** Sign-in links requested in a window, per address and per e-mail. */
export const signInQuotas = sqliteTable(
  'sign_in_quotas',
  {
    /** A keyed hash: the table holds no address or e-mail. */
    subject: text().primaryKey(),
    /** The instant at which the count restarts. */
    until: integer().notNull(),
    used: integer().notNull(),
  },
  (table) => [index('sign_in_quotas_until').on(table.until)],
)
