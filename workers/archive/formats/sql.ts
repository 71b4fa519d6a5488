import { PAIRS } from '../../../shared/market/catalog.ts'
import { priceToNumber } from '../../../shared/market/price.ts'
import { type DailyCloses, eachClose } from '../daily-closes.ts'

/** Rows in one statement: SQLite's parser takes far more, and slower. */
const ROWS = 500

const HEAD = `-- sqlite3 cotizaciones.sqlite < cotizaciones.sql
begin;
create table pairs (
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

/** A SQL text from which `sqlite3` makes the database: no library that writes one fits a Worker here. */
export function toSqlFile(closes: DailyCloses): string {
  const rows: string[] = []
  eachClose(closes, ({ currency, origin }, date, buy, sell, changed) => {
    const values = `${priceToNumber(buy)},${priceToNumber(sell)},${Number(changed)}`
    rows.push(`('${date}','${currency}','${origin}',${values})`)
  })
  const pairs = PAIRS.map(
    ({ currency, origin, name, valueType }) =>
      `('${currency}','${origin}','${name.replaceAll("'", "''")}','${valueType}')`,
  )
  return `${HEAD}${inserts('pairs', pairs)}${inserts('daily_closes', rows)}commit;\n`
}

function inserts(table: string, rows: readonly string[]): string {
  let text = ''
  for (let from = 0; from < rows.length; from += ROWS) {
    text += `insert into ${table} values\n${rows.slice(from, from + ROWS).join(',\n')};\n`
  }
  return text
}
