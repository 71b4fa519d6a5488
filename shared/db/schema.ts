/**
 * All tables, by subject. Migrations are generated from here: `npm run db:generate -- NAME`.
 * Instants are milliseconds in UTC (`*_at`), prices are ten-thousandths (shared/market/price.ts),
 * pairs are catalogue ids (shared/market/catalog.ts).
 *
 * drizzle makes the migrations, serves the sign-in library, and runs plain statements off the hot
 * paths. Statements in a batch, with a condition of their own or on a hot path are SQL text. So is
 * whatever reads a view, which therefore names its columns in SQL alone.
 */
export * from './schema/accounts.ts'
export * from './schema/installation.ts'
export * from './schema/sessions.ts'
export * from './schema/quotes.ts'
export * from './schema/subscriptions.ts'
export * from './schema/alerts.ts'
export * from './schema/invoicing.ts'
