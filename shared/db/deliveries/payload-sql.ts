/**
 * The payload of workers/scraper/db/payload.ts as SQL. Syncs and tests use it, for they repeat the value
 * in effect when their row is inserted. A test holds both to the same bytes.
 */
import { type Pair, PAIRS } from '../../market/catalog.ts'

/**
 * An expression over a row `q` of `current_quotes`. Prices are not negative; `madeAt` is the SQL
 * of an instant.
 */
export function repeatPayloadSql(kind: 'sync' | 'manual', madeAt: string): string {
  const [event, end] =
    kind === 'manual' ? ['manual.trigger', ',"isManual":true}'] : ['rate.updated', '}']

  return [
    `'{"event":"${event}",' || ${codesSql('q.pair')}`,
    `',"buy":' || ${priceSql('q.buy')} || ',"sell":' || ${priceSql('q.sell')}`,
    `',"prevBuy":' || ${priceSql('q.buy')} || ',"prevSell":' || ${priceSql('q.sell')}`,
    `',"changePct":0,' || ${valueTypeSql('q.pair')}`,
    `',"updatedAt":"' || ${utcSql('q.updated_at')} || '","timestamp":"' || ${utcSql(madeAt)}`,
    `'"${end}'`,
  ].join(' || ')
}

/** `"currency":"USD","origin":"BLUE"` of a column with a pair. */
export function codesSql(column: string): string {
  return byPair(column, ({ currency, origin }) => `"currency":"${currency}","origin":"${origin}"`)
}

/** `"valueType":"money"` of a column with a pair. */
export function valueTypeSql(column: string): string {
  return byPair(column, ({ valueType }) => `"valueType":"${valueType}"`)
}

function byPair(column: string, text: (pair: Pair) => string): string {
  const cases = PAIRS.map((pair) => `when ${pair.id} then '${text(pair)}'`)
  return `case ${column} ${cases.join(' ')} end`
}

/** Ten-thousandths as JavaScript prints the number: no trailing zeros, no trailing point. */
export function priceSql(column: string): string {
  return `rtrim(rtrim(printf('%d.%04d', ${column} / 10000, ${column} % 10000), '0'), '.')`
}

/** `2026-03-02T15:00:00.250Z` of an instant. */
export function utcSql(instant: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%S', ${instant} / 1000, 'unixepoch') ||
    printf('.%03dZ', ${instant} % 1000)`
}
