import type { Pair } from './catalog.ts'

/** A value with its unit: `$ 1.500,00`, `980 puntos`. */
export function formatValue(
  value: number,
  type: Pair['valueType'],
  decimals: Pair['decimals'],
): string {
  if (type === 'points') return `${formatNumber(value, 0, 0)} puntos`
  if (type === 'coefficient') return `${formatNumber(value, 2, 2)} puntos`
  return `$ ${formatNumber(value, 2, Math.max(2, decimals))}`
}

/**
 * Argentine form: `1.234.567,89`, with at least `least` and at most `most` decimals. By hand: the
 * bytes of embeds are signed, and locale data changes between runtimes.
 */
export function formatNumber(value: number, least: number, most: number): string {
  const [whole, fraction = ''] = Math.abs(value).toFixed(most).split('.') as [string, string?]
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, '.')
  const kept = fraction.slice(0, least) + fraction.slice(least).replace(/0+$/, '')
  const sign = value < 0 && /[1-9]/.test(whole + fraction) ? '-' : ''

  return sign + grouped + (kept === '' ? '' : `,${kept}`)
}
