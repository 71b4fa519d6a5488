/*
 * Amounts and prices as people here write them, as whole numbers, for money is never a float. Pages
 * and the Worker both run this file; its types are in convert.d.ts.
 */

/** An amount is a whole number of millionths, a price one of ten-thousandths. */
const AMOUNT_DECIMALS = 6
const MAX_DIGITS = 12

/** The amount of `1.500,50`, `1500.5` or `1500`, or null when it is none. */
export function parseAmount(text) {
  const typed = text.replace(/[\s$]/g, '')
  if (!/^\d[\d.,]*$/.test(typed)) return null

  const separator = decimalSeparator(typed)
  const at = separator === '' ? -1 : typed.lastIndexOf(separator)
  const whole = (at === -1 ? typed : typed.slice(0, at)).replace(/[.,]/g, '')
  const fraction = at === -1 ? '' : typed.slice(at + 1)
  if (whole.length > MAX_DIGITS || !isGrouped(at === -1 ? typed : typed.slice(0, at))) return null
  if (!/^\d*$/.test(fraction) || fraction.length > AMOUNT_DECIMALS) return null

  return BigInt(whole + fraction.padEnd(AMOUNT_DECIMALS, '0'))
}

/** The comma, or the last mark where both stand; a dot alone groups thousands before 3 digits. */
function decimalSeparator(typed) {
  const comma = typed.lastIndexOf(',')
  const dot = typed.lastIndexOf('.')
  if (comma !== -1 && dot !== -1) return comma > dot ? ',' : '.'
  if (comma !== -1) return ','
  return dot !== -1 && !/^\d{1,3}(\.\d{3})+$/.test(typed) ? '.' : ''
}

function isGrouped(whole) {
  return /^\d+$/.test(whole) || /^\d{1,3}([.,]\d{3})+$/.test(whole)
}

/** What an amount of the currency is worth, in hundredths of a peso, halves up. */
export function toPesos(amount, price) {
  return divide(amount * BigInt(price), 10n ** 8n)
}

/** What an amount of pesos buys, in ten-thousandths of the currency, halves up. */
export function fromPesos(amount, price) {
  return divide(amount * 10n ** 2n, BigInt(price))
}

/** A whole number of 10^-decimals as it is written here: `1.430,50`. */
export function formatScaled(value, decimals) {
  const negative = value < 0n
  const digits = String(negative ? -value : value).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, '.')
  const fraction = decimals === 0 ? '' : `,${digits.slice(-decimals)}`
  return `${negative ? '−' : ''}${whole}${fraction}`
}

/** An amount as it is written here, without zeros at its end. */
export function formatAmount(amount) {
  const [whole, fraction] = formatScaled(amount, AMOUNT_DECIMALS).split(',')
  const kept = fraction.replace(/0+$/, '')
  return kept === '' ? whole : `${whole},${kept.padEnd(2, '0')}`
}

/** Both lines of the converter's answer. */
export function describeConversion(amount, price, unit) {
  const shown = formatAmount(amount)
  return {
    pesos: `$ ${formatScaled(toPesos(amount, price), 2)}`,
    sentence: `${shown} ${unit}`,
    inverse: `$ ${shown} son ${formatScaled(fromPesos(amount, price), 4)} ${unit}`,
  }
}

function divide(numerator, denominator) {
  return (2n * numerator + denominator) / (2n * denominator)
}
