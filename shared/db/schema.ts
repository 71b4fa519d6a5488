/**
 * All tables, by subject. Migrations are generated from here: `npm run db:generate -- NAME`.
 * Instants are milliseconds in UTC (`*_at`), prices are ten-thousandths (shared/market/price.ts),
 * pairs are catalogue ids (shared/market/catalog.ts).
 *
 * drizzle keeps the schema, the migrations and the sign-in library's tables, and plain statements
 * off the hot paths, whose rows it types. What stands in a batch, carries a condition of its own or
 * is hot is SQL.
 */
export * from './schema/accounts.ts'
export * from './schema/installation.ts'
export * from './schema/sessions.ts'
export * from './schema/quotes.ts'
export * from './schema/subscriptions.ts'
export * from './schema/alerts.ts'
export * from './schema/invoicing.ts'
