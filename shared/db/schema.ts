/**
 * All tables, by subject. Migrations are generated from here: `npm run db:generate -- NAME`.
 * Instants are milliseconds in UTC (`*_at`), prices are ten-thousandths (shared/market/price.ts),
 * pairs are catalogue ids (shared/market/catalog.ts).
 *
 * drizzle makes the migrations, serves the sign-in library, and runs simple statements outside hot
 * paths. All other statements are SQL text: in batches, with conditions, on hot paths, or on views.
 * So the columns of a view are only in its SQL.
 */
export * from './schema/accounts.ts'
export * from './schema/installation.ts'
export * from './schema/sessions.ts'
export * from './schema/quotes.ts'
export * from './schema/subscriptions.ts'
export * from './schema/alerts.ts'
export * from './schema/invoicing.ts'
