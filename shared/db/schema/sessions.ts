import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts.ts'

/*
 * The tables of the sign-in library. The keys are the library's field names, and its `Date`s are
 * stored as milliseconds in UTC. Comments mark columns that it requires and we leave empty.
 */

/** A signed-in browser. The cookie holds the token, signed with SESSION_SECRET. */
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
    /** Always null, like `userAgent`: we do not store from where users sign in. */
    ipAddress: text(),
    userAgent: text(),
  },
  (table) => [
    uniqueIndex('sessions_token').on(table.token),
    index('sessions_account').on(table.accountId),
    index('sessions_expiry').on(table.expiresAt),
  ],
)

/** A provider's account (GitHub) that signs in to an account of ours. We never store its tokens. */
export const identities = sqliteTable(
  'identities',
  {
    id: text().primaryKey(),
    /** Not named `accountId`, because the library's field `accountId` is our `subject`. */
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

/** Unused sign-in links, by the hash of their token, and unfinished sign-ins by GitHub. */
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

/** The number of sign-in links requested in a window, per address and per e-mail. */
export const signInQuotas = sqliteTable(
  'sign_in_quotas',
  {
    /** A keyed hash, so that the table contains no address or e-mail. */
    subject: text().primaryKey(),
    /** The instant at which the count restarts. */
    until: integer().notNull(),
    used: integer().notNull(),
  },
  (table) => [index('sign_in_quotas_until').on(table.until)],
)
