/** Banco Nación's wholesale tables in the database: what writes them. */
import type { Day, Instant } from '../../argentine-time.ts'

/** A table of a day, as the bank or a file has it. */
export interface InvoicingTable {
  day: Day
  /** Null when the table has no hour. */
  publishedAt: Instant | null
  source: string
  rates: readonly { currency: string; units: number; buy: string; sell: string }[]
}

/** Stores a table. The last table of a day wins: one that was published earlier changes nothing. */
export function invoicingStatements(
  db: D1Database,
  { day, publishedAt, source, rates }: InvoicingTable,
  at: Instant,
): D1PreparedStatement[] {
  return [
    db
      .prepare(
        `insert into invoicing_rates (currency, day, units, buy, sell, source, published_at)
         select value ->> 'currency', ?1, value ->> 'units', value ->> 'buy', value ->> 'sell', ?2, ?5
         from json_each(?3) where not exists (
           select 1 from invoicing_tables where day = ?1 and published_at > ?4)
         on conflict (currency, day) do update
           set units = excluded.units, buy = excluded.buy, sell = excluded.sell,
             source = excluded.source, published_at = coalesce(excluded.published_at, published_at)
           where (units, buy, sell) <> (excluded.units, excluded.buy, excluded.sell)
             or excluded.published_at > coalesce(published_at, 0)`,
      )
      .bind(day, source, JSON.stringify(rates), publishedAt ?? at, publishedAt),
    db
      .prepare(
        `insert into invoicing_tables (day, published_at) values (?1, ?2)
         on conflict (day) do update set published_at =
           max(coalesce(published_at, 0), coalesce(excluded.published_at, published_at))`,
      )
      .bind(day, publishedAt),
  ]
}
