/** Banco Nación's wholesale tables in the database: what writes them. */
import { argentineDay, type Day, type Instant } from '../../argentine-time.ts'

/** A table of a day, as the bank or a file has it. */
export interface InvoicingTable {
  day: Day
  /** Null when the table has no hour. */
  publishedAt: Instant | null
  source: string
  rates: readonly { currency: string; units: number; buy: string; sell: string }[]
}

/**
 * Stores a table. The last table of a day wins: one that was published earlier changes nothing.
 * When a rate changes after its day is over, its old value goes to the corrections.
 */
export function invoicingStatements(
  db: D1Database,
  { day, publishedAt, source, rates }: InvoicingTable,
  at: Instant,
): D1PreparedStatement[] {
  const rows = JSON.stringify(
    rates.map(({ currency, units, buy, sell }) => [currency, units, buy, sell]),
  )
  const published = publishedAt ?? at
  return [
    ...(day < argentineDay(at)
      ? [db.prepare(CORRECTIONS).bind(day, source, rows, published, at)]
      : []),
    db.prepare(RATES).bind(day, source, rows, published, publishedAt),
    db.prepare(TABLE).bind(day, publishedAt, at),
  ]
}

const IS_LATEST = `not exists (
  select 1 from invoicing_tables where day = ?1 and published_at > ?4)`

const CORRECTIONS = `
  insert into invoicing_corrections (made_at, currency, day, old_units, old_buy, old_sell, old_source,
    new_units, new_buy, new_sell, new_source)
  select ?5, old.currency, ?1, old.units, old.buy, old.sell, old.source,
    value ->> 1, value ->> 2, value ->> 3, ?2
  from json_each(?3) join invoicing_rates as old on old.currency = value ->> 0 and old.day = ?1
  where (old.units, old.buy, old.sell) <> (value ->> 1, value ->> 2, value ->> 3) and ${IS_LATEST}`

const RATES = `
  insert into invoicing_rates (currency, day, units, buy, sell, source, published_at)
  select value ->> 0, ?1, value ->> 1, value ->> 2, value ->> 3, ?2, ?5
  from json_each(?3) where ${IS_LATEST}
  on conflict (currency, day) do update
    set units = excluded.units, buy = excluded.buy, sell = excluded.sell, source = excluded.source,
      published_at = excluded.published_at
    where (units, buy, sell) <> (excluded.units, excluded.buy, excluded.sell)
      or excluded.published_at > coalesce(published_at, 0)`

const TABLE = `
  insert into invoicing_tables (day, published_at, seen_at) values (?1, ?2, ?3)
  on conflict (day) do update
    set published_at = max(coalesce(published_at, 0), coalesce(excluded.published_at, published_at)),
      seen_at = max(seen_at, excluded.seen_at)`
