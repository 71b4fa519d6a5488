/**
 * What alerts watch, as SQL. Whether a condition is met is decided inside the statements that write,
 * on the values that the same batch has written. All of it is arithmetic of whole numbers.
 */
import { PRICE_SCALE } from '../../market/price.ts'

/** 100 %, in hundredths of a percent. */
const WHOLE = 10_000

/** The value of a side, which is the SQL of `buy` or `sell`, of a row with both. */
export function valueOf(side: string, row: string): string {
  return `iif(${side} = 'buy', ${row}.buy, ${row}.sell)`
}

/** The base of a `change`: the last value before the midnight `start`. All arguments are SQL. */
export function baseOfDay(start: string, { pair, side }: { pair: string; side: string }): string {
  return `(select ${valueOf(side, 'p')} from points p
    where p.pair = ${pair} and p.at < ${start} order by p.at desc limit 1)`
}

/**
 * The alerts of the rows `w` of `subscriptions` that `source` gives, with the values that they watch:
 * `value`, its instant `value_at`, and `base` with its instant `other_at`, all null without a quote.
 * `source` is the end of a `from` clause, `start` the SQL of today's Argentine midnight.
 */
export function watchedSql(source: string, start: string): string {
  return `select a.*, w.pair, w.channel, w.account_id, w.operation_id, w.revision, w.destination,
      w.url_sealed, w.authorization_sealed, w.secret_sealed, w.enabled, w.state, w.version,
      w.created_at, q.buy, q.sell, q.updated_at as value_at, ${valueOf('a.side', 'q')} as value,
      o.buy as other_buy, o.sell as other_sell, o.updated_at as other_at,
      case a.condition when 'gap' then ${valueOf('a.other_side', 'o')}
        when 'change' then ${baseOfDay(start, { pair: 'w.pair', side: 'a.side' })} end as base
    from ${source} cross join alerts a on a.id = w.id
      left join current_quotes q on q.pair = w.pair
      left join current_quotes o on o.pair = a.other_pair`
}

/** Whether the condition of a watched row is met; null while a value is missing. */
export const IS_MET = `(case condition when 'above' then value >= threshold
    when 'below' then value <= threshold
    else base > 0 and abs(value - base) * ${WHOLE} >= threshold * base end)`

/** Whether the value has left the condition by the hysteresis. Never true together with `IS_MET`. */
const HAS_LEFT = `(case condition when 'above' then value < threshold - hysteresis
    when 'below' then value > threshold + hysteresis
    else base > 0 and abs(value - base) * ${WHOLE} < (threshold - hysteresis) * base end)`

/**
 * Whether a watched row fires. A `change` that waits since an earlier day counts as armed: at
 * midnight its change was zero, even if no cycle ran then.
 */
export function firesSql(start: string): string {
  return `((phase = 'armed' or (phase = 'waiting' and condition = 'change' and phase_at < ${start}))
    and ${IS_MET})`
}

/** Whether to arm a watched row again. */
export const IS_REARMED = `(phase = 'waiting' and ${HAS_LEFT})`

/**
 * The phase of a watched row that is created, edited or activated. If its condition is already met,
 * it waits.
 */
export const FIRST_PHASE = `iif(coalesce(${IS_MET}, 0), 'waiting', 'armed')`

/** The percent between `value` and `base` as JSON, half away from zero to two decimals; or null. */
export const PERCENT = `case when base > 0 then ${decimalSql(
  `((2 * abs(value - base) * ${WHOLE} + base) / (2 * base) * iif(value < base, -1, 1))`,
  100,
)} else 'null' end`

/** Whole parts of `scale` as JavaScript prints the number: no trailing zeros, no trailing point. */
export function decimalSql(parts: string, scale: 100 | 10_000 = PRICE_SCALE): string {
  const digits = String(scale).length - 1
  return `rtrim(rtrim(iif(${parts} < 0, '-', '') ||
    printf('%d.%0${digits}d', abs(${parts}) / ${scale}, abs(${parts}) % ${scale}), '0'), '.')`
}
