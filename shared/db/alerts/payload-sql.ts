/**
 * The body of `alert.triggered` and of its test, as an SQL expression over a watched row. The
 * statement that finds the condition met makes it, so that it has the values that met it.
 */
import { type Pair, PAIRS } from '../../market/catalog.ts'
import { decimalSql, PERCENT } from './watch-sql.ts'

/** A threshold or a hysteresis, in the unit of its condition. */
const inUnit = (column: string) =>
  `iif(condition in ('above', 'below'), ${priceSql(column)}, ${decimalSql(column, 100)})`

const AGAINST = `coalesce('{' || ${codesSql('other_pair')} || ',"side":"' || other_side ||
  '","buy":' || ${priceSql('other_buy')} || ',"sell":' || ${priceSql('other_sell')} ||
  ',"updatedAt":"' || ${utcSql('other_at')} || '"}', 'null')`

/** `madeAt` is the SQL of an instant. */
export function alertPayloadSql(kind: 'triggered' | 'test', madeAt: string): string {
  return [
    `'{"event":"alert.${kind}","alertId":"' || id || '",' || ${codesSql('pair')}`,
    `',"side":"' || side || '","condition":"' || condition || '","threshold":'`,
    `${inUnit('threshold')} || ',"hysteresis":' || ${inUnit('hysteresis')}`,
    `',"repeat":' || iif(repeats, 'true', 'false') || ',"value":' || ${priceSql('value')}`,
    `',"buy":' || ${priceSql('buy')} || ',"sell":' || ${priceSql('sell')}`,
    `',' || ${valueTypeSql('pair')} || ',"base":' || iif(base is null, 'null', ${priceSql('base')})`,
    `',"percent":' || ${PERCENT} || ',"against":' || ${AGAINST}`,
    `',"updatedAt":"' || ${utcSql('value_at')} || '","timestamp":"' || ${utcSql(madeAt)}`,
    kind === 'test' ? `'","isManual":true}'` : `'"}'`,
  ].join(' || ')
}

/** `"currency":"USD","origin":"BLUE"` of a column with a pair. */
export function codesSql(column: string): string {
  return byPair(column, ({ currency, origin }) => `"currency":"${currency}","origin":"${origin}"`)
}

/** `"valueType":"money"` of a column with a pair. */
function valueTypeSql(column: string): string {
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
