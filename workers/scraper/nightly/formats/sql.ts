import { PAIRS } from '../../../../shared/market/catalog.ts'
import { priceToNumber } from '../../../../shared/market/price.ts'
import type { DailyCloses } from '../daily-closes.ts'

/** Rows per statement: SQLite's parser takes far more, but slower. */
const ROWS = 500

/** WITHOUT ROWID, so that the days of a pair are stored together. */
const TABLES = `create table pairs (
  currency text not null, origin text not null, name text not null, value_type text not null,
  primary key (currency, origin)
) without rowid;
create table daily_closes (
  date text not null, currency text not null, origin text not null,
  buy numeric not null, sell numeric not null,
  changed integer not null check (changed in (0, 1)),
  primary key (currency, origin, date),
  foreign key (currency, origin) references pairs
) without rowid;
`

/** The index for all pairs of a day, made last from sorted rows. */
const INDEX = 'create index daily_closes_by_date on daily_closes (date);\n'

/** The statements that make the database, in order, a few hundred rows each. */
export function* sqlStatements(closes: DailyCloses): Generator<string> {
  yield TABLES
  yield insert('pairs', PAIRS.map(pairRow))
  // In the order of the key, so that SQLite fills one page after the other.
  const pairs = closes.pairs.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  for (const { pair, first, buy, sell, changed } of pairs) {
    for (let from = 0; from < sell.length; from += ROWS) {
      const rows: string[] = []
      for (let index = from; index < Math.min(from + ROWS, sell.length); index++) {
        const values = `${priceToNumber(buy[index]!)},${priceToNumber(sell[index]!)}`
        const date = closes.dayText(first + index)
        rows.push(`('${date}','${pair.currency}','${pair.origin}',${values},${+changed[index]!})`)
      }
      yield insert('daily_closes', rows)
    }
  }
  yield INDEX
}

/** The same database as a text for `sqlite3`. */
export function toSqlFile(closes: DailyCloses): string {
  const head = '-- sqlite3 cotizaciones.sqlite < cotizaciones.sql\nbegin;\n'
  return `${head}${[...sqlStatements(closes)].join('')}commit;\n`
}

function keyOf({ pair: { currency, origin } }: DailyCloses['pairs'][number]): string {
  return `${currency}/${origin}`
}

function pairRow({ currency, origin, name, valueType }: (typeof PAIRS)[number]): string {
  return `('${currency}','${origin}','${name.replaceAll("'", "''")}','${valueType}')`
}

function insert(table: string, rows: readonly string[]): string {
  return `insert into ${table} values\n${rows.join(',\n')};\n`
}
