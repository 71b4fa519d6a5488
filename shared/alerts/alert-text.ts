/** Alerts in Spanish, for e-mails, embeds and pages. */
import { findPair, type Pair } from '../market/catalog.ts'
import { embedValueText, numberText } from '../market/spanish-text.ts'
import type { Side } from './alert.ts'
import type { WantedSide, WantedRule } from './rule.ts'

/** The fields of an alert's delivery that people see. */
export interface AlertEvent extends WantedRule {
  event: 'alert.triggered' | 'alert.test'
  value: number
  buy: number
  sell: number
  valueType: Pair['valueType']
  base: number | null
  /** Of `change` and `gap`. */
  percent: number | null
  updatedAt: string
}

export function isAlertEvent(payload: { event: string }): payload is AlertEvent {
  return payload.event.startsWith('alert.')
}

const SIDES = { buy: 'compra', sell: 'venta' } as const satisfies Record<Side, string>

/** `Dólar Blue (venta)`; an index has one value, and no side. */
export function sideText({ currency, origin, side }: WantedSide): string {
  const pair = findPair(currency, origin)
  if (!pair) return `${currency} ${origin}`
  return pair.singleValue ? pair.name : `${pair.name} (${SIDES[side]})`
}

/** How the value meets the condition, as the end of a sentence without its full stop. */
export function conditionText(rule: WantedRule): string {
  const { condition, threshold, against } = rule
  switch (condition) {
    case 'above':
      return `llega a ${alertValueText(rule, threshold)} o más`
    case 'below':
      return `llega a ${alertValueText(rule, threshold)} o menos`
    case 'change':
      return `sube o baja ${percentText(threshold)} en el día`
    case 'gap':
      return `se aparta ${percentText(threshold)} de ${sideText(against!)}`
  }
}

/** A value of a pair with its unit. */
export function alertValueText(
  { currency, origin }: Pick<WantedSide, 'currency' | 'origin'>,
  value: number,
): string {
  const pair = findPair(currency, origin)
  return embedValueText(value, pair ?? { valueType: 'money', decimals: 2 })
}

function percentText(percent: number): string {
  return `${numberText(percent, 0, 2)} %`
}
