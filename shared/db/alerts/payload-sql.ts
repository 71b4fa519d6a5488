/**
 * The body of `alert.triggered` and of its test, as an SQL expression over a watched row. The
 * statement that finds the condition met makes it, so that it has the values that met it.
 */
import { codesSql, priceSql, utcSql, valueTypeSql } from '../deliveries/payload-sql.ts'
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
