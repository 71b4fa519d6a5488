import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The days for which Banco Nación's wholesale table is known: the exchange's business days. */
export const invoicingTables = sqliteTable('invoicing_tables', {
  /** The Argentine day that the table names, `YYYY-MM-DD`. */
  day: text().primaryKey(),
  /** What the day's last table says of its hour; null when it says none, and for an import. */
  publishedAt: integer(),
  /** Last sight of a table of the day. */
  seenAt: integer().notNull(),
})

/**
 * The rows of these tables, which invoices in foreign currency must use the day after (RG 5616/2024).
 * The last table of its day wins. Prices are decimals as they stand there, up to five places.
 */
export const invoicingRates = sqliteTable(
  'invoicing_rates',
  {
    /** ISO 4217; the title of a row that is not known here. */
    currency: text().notNull(),
    day: text().notNull(),
    /** How many of the currency the prices are for. */
    units: integer().notNull(),
    buy: text().notNull(),
    sell: text().notNull(),
    /** `bna-divisas`, or `import`. */
    source: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.currency, table.day] })],
)

/** Rates that were changed after their day was over, with what they replaced. */
export const invoicingCorrections = sqliteTable('invoicing_corrections', {
  id: integer().primaryKey({ autoIncrement: true }),
  madeAt: integer().notNull(),
  currency: text().notNull(),
  day: text().notNull(),
  oldUnits: integer().notNull(),
  oldBuy: text().notNull(),
  oldSell: text().notNull(),
  oldSource: text().notNull(),
  newUnits: integer().notNull(),
  newBuy: text().notNull(),
  newSell: text().notNull(),
  newSource: text().notNull(),
})
