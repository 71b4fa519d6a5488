/** Reads and stores Banco Nación's wholesale tables. */
import { type Day, type Instant, argentineDay } from '../../argentine-time.ts'
import type { DecreedDay } from '../../market/holidays.ts'
import type { KnownRates, StoredRate } from '../../market/invoicing.ts'

/** The source of imported rates. */
export const FROM_FILE = 'import'

/** The last rate of each currency before the issue date, in one round trip. */
export async function readInvoicing(
  db: D1Database,
  currencies: readonly string[],
  date: Day,
  now: Instant,
): Promise<KnownRates> {
  const { results } = await db
    .prepare(READ)
    .bind(JSON.stringify(currencies), date, argentineDay(now))
    .all<{
      rate: string | null
      lastTable: Day | null
      todays: number
      decreed: string | null
    }>()

  return {
    rates: results.map(({ rate }) => JSON.parse(rate ?? 'null') as StoredRate | null),
    lastTable: results[0]?.lastTable ?? null,
    todays: results[0]?.todays === 1,
    decreed: JSON.parse(results[0]?.decreed ?? '[]') as DecreedDay[],
  }
}

/** `json_object` lets the seek that finds a rate also read all its columns. */
const READ = `
  select (
    select json_object('day', day, 'units', units, 'buy', buy, 'sell', sell, 'source', source,
      'publishedAt', iif(source = '${FROM_FILE}', null, published_at)) from invoicing_rates
    where currency = requested.value and day < ?2 order by day desc limit 1
  ) as rate,
  (select max(day) from invoicing_tables where day < ?2) as lastTable,
  exists (select 1 from invoicing_tables where day = ?3) as todays,
  (select iif(json_valid(cycle), cycle -> '$.holidays.decreed', null) from scraper_state) as decreed
  from json_each(?1) as requested order by requested.key`

/** The wholesale table of a day, from the bank or from a file. */
export interface InvoicingTable {
  day: Day
  /** Null when the table has no time. */
  publishedAt: Instant | null
  source: string
  rates: readonly { currency: string; units: number; buy: string; sell: string }[]
}

/** Stores a table. Changes nothing if a later table of the same day is already stored. */
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
