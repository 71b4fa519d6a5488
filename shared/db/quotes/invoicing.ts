/** Banco Nación's wholesale tables in the database: the one read. */
import { argentineDay, type Day, type Instant } from '../../argentine-time.ts'
import type { DecreedDay } from '../../market/holidays.ts'
import type { KnownRates, StoredRate } from '../../market/invoicing.ts'

/** The source of rates that were imported. */
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

/** The seek that finds the rate also reads it. */
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
