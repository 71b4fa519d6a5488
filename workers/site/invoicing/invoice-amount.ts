import type { StoredRate } from '../../../shared/market/invoicing.ts'
import { formatScaled } from '../public/static/convert.js'

const RATE_DECIMALS = 6

/** A decimal as it is written here, with at least two places: `1.460,50`, `21.278,57583`. */
export function decimalText(decimal: string): string {
  const [whole = '', fraction = ''] = decimal.split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, '.')},${fraction.padEnd(2, '0')}`
}

/** Pesos of an amount in millionths, at the selling rate, to the cent, halves up. */
export function invoicePesos(amount: bigint, { sell, units }: StoredRate): string {
  const [whole = '', fraction = ''] = sell.split('.')
  const rate = BigInt(whole + fraction.padEnd(RATE_DECIMALS, '0'))
  const numerator = amount * rate
  const denominator = 10n ** 10n * BigInt(units)
  return formatScaled((2n * numerator + denominator) / (2n * denominator), 2)
}
