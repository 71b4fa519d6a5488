import { formatUtc, type Instant } from '../argentine-time.ts'
import { percentChange, priceToNumber } from '../market/price.ts'
import type { Measured, Quote, AlertRule } from './alert.ts'
import { wantedOf } from './rule.ts'

/** The body of an alert's event: it is made once, and is the same at every attempt and by e-mail. */
export function alertBody(
  kind: 'triggered' | 'test',
  alert: AlertRule & { id: string },
  { quote, value, other, base }: Measured,
  madeAt: Instant,
): string {
  const { against, ...rule } = wantedOf(alert)
  return JSON.stringify({
    event: `alert.${kind}`,
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
  })
}

/** The percent between a value and its base, with sign; null without a base. */
export function percentOf({ value, base }: Pick<Measured, 'value' | 'base'>): number | null {
  return base ? percentChange(value, base) : null
}

function pricesOf({ buy, sell }: Quote) {
  return { buy: priceToNumber(buy), sell: priceToNumber(sell) }
}
