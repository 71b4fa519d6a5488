/** Checks the rule that an owner wants for an alert, and converts it to the stored units. Pure. */
import { findPair, type Pair } from '../market/catalog.ts'
import { PRICE_SCALE } from '../market/price.ts'
import { ok, refuse, type RefusedInput, type Result } from '../result.ts'
import { type Condition, isLevel, type Side, type AlertRule } from './alert.ts'

export interface WantedSide {
  currency: string
  origin: string
  side: Side
}

export interface WantedRule extends WantedSide {
  condition: Condition
  /** A price, or a percent. */
  threshold: number
  hysteresis: number
  against: WantedSide | null
  repeat: boolean
}

/** Hundredths of a percent in one percent. */
const PERCENT_SCALE = 100

const MAX_PRICE = 1_000_000_000
const MAX_PERCENT = 1_000

/** The requested rule, or the first reason to refuse it. */
export function checkRule(wanted: WantedRule): Result<AlertRule, 'unknown_pair' | RefusedInput> {
  const pair = findPair(wanted.currency, wanted.origin)
  if (!pair) return refuse('unknown_pair')

  const unit = unitOf(wanted.condition, pair)
  const threshold = parts(wanted.threshold, unit)
  if (threshold === null || threshold <= 0)
    return refuseRule(`El umbral debe ser mayor que 0, hasta ${unit.printedMax}, ${unit.precision}`)
  const hysteresis = parts(wanted.hysteresis, unit)
  if (hysteresis === null || hysteresis < 0 || hysteresis >= threshold)
    return refuseRule(`La histéresis debe ser de 0 a menos que el umbral, ${unit.precision}`)
  const against = checkAgainst(pair, wanted)
  if (!against.ok) return against

  const { side, condition, repeat: repeats } = wanted
  return ok({ pair, side, condition, threshold, hysteresis, against: against.value, repeats })
}

/** A `gap` must compare two prices of the same currency. */
function checkAgainst(
  pair: Pair,
  { condition, against }: WantedRule,
): Result<AlertRule['against'], 'unknown_pair' | RefusedInput> {
  if (condition !== 'gap')
    return against === null
      ? ok(null)
      : refuseRule('El campo against es solo de la condición gap, que compara dos pares')
  if (against === null)
    return refuseRule('La condición gap compara dos pares: falta el campo against')

  const other = findPair(against.currency, against.origin)
  if (!other) return refuse('unknown_pair')
  const isComparable =
    other !== pair &&
    other.currency === pair.currency &&
    other.valueType === 'money' &&
    pair.valueType === 'money'
  return isComparable
    ? ok({ pair: other, side: against.side })
    : refuseRule('Solo se comparan dos precios distintos de una misma moneda')
}

interface Unit {
  scale: number
  /** The maximum number of decimals in the request. */
  decimals: number
  max: number
  printedMax: string
  precision: string
}

function unitOf(condition: Condition, { decimals }: Pair): Unit {
  return isLevel(condition)
    ? {
        scale: PRICE_SCALE,
        decimals,
        max: MAX_PRICE,
        printedMax: '1.000.000.000',
        precision: decimals === 0 ? 'sin decimales' : `con hasta ${decimals} decimales`,
      }
    : {
        scale: PERCENT_SCALE,
        decimals: 2,
        max: MAX_PERCENT,
        printedMax: '1.000',
        precision: 'con hasta 2 decimales',
      }
}

/** A number as an integer of the stored unit. Null if it has too many decimals or is too large. */
function parts(value: number, { scale, decimals, max }: Unit): number | null {
  const step = 10 ** decimals
  const steps = Math.round(value * step)
  if (steps / step !== value || Math.abs(value) > max) return null
  return steps * (scale / step)
}

/** A stored threshold or hysteresis as the number that its owner sent. */
function givenNumber(condition: Condition, stored: number): number {
  return stored / (isLevel(condition) ? PRICE_SCALE : PERCENT_SCALE)
}

/** A stored rule in the form in which owners send it. */
export function wantedOf(rule: AlertRule): WantedRule {
  const { pair, side, condition, against, repeats } = rule
  return {
    currency: pair.currency,
    origin: pair.origin,
    side,
    condition,
    threshold: givenNumber(condition, rule.threshold),
    hysteresis: givenNumber(condition, rule.hysteresis),
    against: against && {
      currency: against.pair.currency,
      origin: against.pair.origin,
      side: against.side,
    },
    repeat: repeats,
  }
}

export function isSameRule(a: AlertRule, b: AlertRule): boolean {
  return JSON.stringify(wantedOf(a)) === JSON.stringify(wantedOf(b))
}

function refuseRule(reason: string): { ok: false; refusal: RefusedInput } {
  return refuse({ reason })
}
