import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The days for which Banco Nación's wholesale table is known: the exchange business days. */
export const invoicingTables = sqliteTable('invoicing_tables', {
  /** The Argentine day that the table names, `YYYY-MM-DD`. */
  day: text().primaryKey(),
  /** The time in the day's last table. Null when the table has no time, and for an import. */
  publishedAt: integer(),
})

const rateColumns = () => ({
  /** ISO 4217, or the title of an unknown row. */
  currency: text().notNull(),
  day: text().notNull(),
  /** The prices are for this number of units of the currency. */
  units: integer().notNull(),
  buy: text().notNull(),
  sell: text().notNull(),
  /** `bna-divisas`, or `import`. */
  source: text().notNull(),
  /** The time in the last table with this row, or null. An import does not change it. */
  publishedAt: integer(),
})

/**
 * The rows of these tables, which invoices in foreign currency must use the day after (RG
 * 5616/2024). The last table of a day replaces earlier tables. Prices are decimal texts as the
 * table prints them, with up to five decimals.
 */
export const invoicingRates = sqliteTable('invoicing_rates', rateColumns(), (table) => [
  primaryKey({ columns: [table.currency, table.day] }),
])

/** Every rate that an import or an operator replaced, with its old values. */
export const invoicingCorrections = sqliteTable('invoicing_corrections', {
  id: integer().primaryKey({ autoIncrement: true }),
  madeAt: integer().notNull(),
  ...rateColumns(),
})
