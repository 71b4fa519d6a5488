/**
 * All tables, by subject. Migrations are generated from here: `npm run db:generate -- NAME`.
 * Instants are milliseconds in UTC (`*_at`), prices are ten-thousandths (shared/market/price.ts), pairs
 * are catalogue ids (shared/market/catalog.ts).
 */
export * from './schema/accounts.ts'
export * from './schema/sessions.ts'
export * from './schema/quotes.ts'
export * from './schema/webhooks.ts'
export * from './schema/imports.ts'
export * from './schema/availability.ts'
