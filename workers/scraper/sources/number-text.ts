import { Big } from 'big.js'
import { emptyError, formatError } from './source.ts'

/** Whether a source writes decimals with a comma or with a point. */
export type NumberStyle = 'comma' | 'point'

const ABSENT = new Set(['', '-', 'S/C', 'N/A'])

/**
 * The number of a printed text; null when the text means "no value" (`ABSENT`). `$`, `%` and spaces
 * are ignored. If the text has points and commas, the last one separates decimals. A single comma
 * or point separates decimals too, with one exception: in a comma-style source, a point before
 * exactly three digits separates thousands (`1.375` is 1375 at DolarHoy).
 */
export function parseDecimal(text: string, style: NumberStyle): Big | null {
  const bare = text.replace(/[$%\s\u00a0]/g, '')
  if (ABSENT.has(bare.toUpperCase())) return null

  const plain = plainDecimal(bare, style)
  if (plain === null) throw formatError('has a text where a number is due')

  return new Big(plain)
}

/** The price of a printed text. Absent or zero fails as `empty`, negative as `format`. */
export function parsePrice(text: string, style: NumberStyle): Big {
  return requirePrice(parseDecimal(text, style))
}

/** A price above zero, from a JSON number or from the result of `parseDecimal`. */
export function requirePrice(value: Big | number | null | undefined): Big {
  if (value === null || value === undefined) throw emptyError('has no price')

  const price = new Big(value)
  if (price.eq(0)) throw emptyError('has a price of zero')
  if (price.lt(0)) throw formatError('has a negative price')

  return price
}

/** The number if it is above zero, else null. For rows that may have no offer. */
export function positiveOrNull(value: number | null | undefined): Big | null {
  return typeof value === 'number' && value > 0 ? new Big(value) : null
}

/** The number with a decimal point and no thousands separators; null when it is no number. */
function plainDecimal(bare: string, style: NumberStyle): string | null {
  const points = /^-?\d{1,3}(?:,\d{3})+\.\d+$/
  const commas = /^-?\d{1,3}(?:\.\d{3})+,\d+$/
  const groupedByPoint = /^-?\d{1,3}(?:\.\d{3})+$/
  const groupedByComma = /^-?\d{1,3}(?:,\d{3}){2,}$/

  if (/^-?\d+$/.test(bare)) return bare
  if (points.test(bare) || groupedByComma.test(bare)) return bare.replaceAll(',', '')
  if (commas.test(bare)) return bare.replaceAll('.', '').replace(',', '.')
  if (/^-?\d+,\d+$/.test(bare)) return bare.replace(',', '.')
  if (groupedByPoint.test(bare) && (style === 'comma' || bare.split('.').length > 2)) {
    return bare.replaceAll('.', '')
  }
  return /^-?\d+\.\d+$/.test(bare) ? bare : null
}
