/** The event of an alert: its body, and its text in Spanish for e-mails, embeds and pages. */
import { type Instant, formatUtc } from '../argentine-time.ts'
import { percentChange, priceToNumber } from '../market/price.ts'
import type { Measured, Quote, AlertRule, Side } from './alert.ts'
import { type WantedSide, type WantedRule, wantedOf } from './rule.ts'
import { findPair } from '../market/catalog.ts'
import { embedValueText, numberText } from '../market/spanish-text.ts'

/** The body of an alert's event. Made once; all attempts and the e-mail use the same text. */
export function alertBody(...event: Parameters<typeof eventOf>): string {
  return JSON.stringify(eventOf(...event))
}

/** The fields of an alert's delivery. */
export type AlertEvent = ReturnType<typeof eventOf>

function eventOf(
  kind: 'triggered' | 'test',
  alert: AlertRule & { id: string },
  { quote, value, other, base }: Measured,
  madeAt: Instant,
) {
  const { against, ...rule } = wantedOf(alert)
  return {
    event: `alert.${kind}` as const,
    alertId: alert.id,
    ...rule,
    value: priceToNumber(value),
    ...pricesOf(quote),
    valueType: alert.pair.valueType,
    base: base === null ? null : priceToNumber(base),
    percent: percentOf({ value, base }),
    against: against &&
      other && { ...against, ...pricesOf(other), updatedAt: formatUtc(other.updatedAt) },
    updatedAt: formatUtc(quote.updatedAt),
    timestamp: formatUtc(madeAt),
    ...(kind === 'test' && { isManual: true }),
  }
}

/** The percent between a value and its base, with sign; null without a base. */
export function percentOf({ value, base }: Pick<Measured, 'value' | 'base'>): number | null {
  return base ? percentChange(value, base) : null
}

function pricesOf({ buy, sell }: Quote) {
  return { buy: priceToNumber(buy), sell: priceToNumber(sell) }
}

export function isAlertEvent(payload: { event: string }): payload is AlertEvent {
  return payload.event.startsWith('alert.')
}

const SIDES = { buy: 'compra', sell: 'venta' } as const satisfies Record<Side, string>

/** `Dólar Blue (venta)`. The text of an index has no side, because an index has one value. */
export function sideText({ currency, origin, side }: WantedSide): string {
  const pair = findPair(currency, origin)
  if (!pair) return `${currency} ${origin}`
  return pair.singleValue ? pair.name : `${pair.name} (${SIDES[side]})`
}

/** When the alert fires, as the end of a sentence: `llega a $ 1.500,00 o más`. */
export function conditionText(rule: WantedRule): string {
  const { condition, threshold, against } = rule
  switch (condition) {
    case 'above':
      return `llega a ${alertValueText(rule, threshold)} o más`
    case 'below':
      return `llega a ${alertValueText(rule, threshold)} o menos`
    case 'change':
      return `sube o baja ${unsignedPercentText(threshold)} en el día`
    case 'gap':
      return `se aparta ${unsignedPercentText(threshold)} de ${sideText(against!)}`
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

function unsignedPercentText(percent: number): string {
  return `${numberText(percent, 0, 2)} %`
}
