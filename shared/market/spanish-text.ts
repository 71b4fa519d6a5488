/**
 * Numbers, ages and dates as people write them in Argentina, for Workers and the scripts of pages.
 * Does not use `Intl`, because locale data differs between runtimes and the bytes of embeds are
 * signed.
 */
import {
  argentineDay,
  type Day,
  DAY_MS,
  formatArgentine,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
} from '../argentine-time.ts'
import type { Pair } from './catalog.ts'
import { type Price, priceToNumber, roundPrice } from './price.ts'

/** A decimal text as `1.234.567,89`. Cuts zeros at the end beyond `least` decimals. */
export function decimalText(decimal: string, least = 2): string {
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.')
  const kept =
    fraction.slice(0, least).padEnd(least, '0') + fraction.slice(least).replace(/0+$/, '')
  const sign = decimal.startsWith('-') && /[1-9]/.test(decimal) ? '−' : ''
  return `${sign}${whole.replace(/\B(?=(?:\d{3})+$)/g, '.')}${kept && `,${kept}`}`
}

/** A number with at least `least` and at most `most` decimals. */
export function numberText(value: number, least = 0, most = least): string {
  return decimalText(value.toFixed(most), least)
}

/** Formats `value` × 10^-decimals exactly, without floats. */
export function scaledText(value: bigint, decimals: number, least = decimals): string {
  const digits = String(value)
    .replace('-', '')
    .padStart(decimals + 1, '0')
  const [whole, fraction] = [digits.slice(0, -decimals), digits.slice(-decimals)]
  return decimalText(`${value < 0n ? '-' : ''}${whole}.${fraction}`, least)
}

/** Decimals that pages show for a pair: at most two, except for currencies worth a few pesos. */
export function shownDecimals({ currency, decimals }: Pick<Pair, 'currency' | 'decimals'>): number {
  return currency === 'CLP' || currency === 'UYU' ? decimals : Math.min(decimals, 2)
}

/** The unit and the decimals with which a value is printed. */
export interface Units {
  valueType: Pair['valueType']
  decimals: number
}

export const unitsOf = (pair: Pair): Units => ({
  valueType: pair.valueType,
  decimals: shownDecimals(pair),
})

/** `1.430,00`. */
export function priceText(price: Price, decimals: number): string {
  return numberText(priceToNumber(roundPrice(price, decimals as Pair['decimals'])), decimals)
}

/** `1.425,00 a 1.440,00`. */
export function rangeText(low: Price, high: Price, decimals: number): string {
  return `${priceText(low, decimals)} a ${priceText(high, decimals)}`
}

/** The price with its unit: `$ 1.430,00` or `623 puntos`. A coefficient has no unit. */
export function valueText(price: Price, { valueType, decimals }: Units): string {
  return withUnit(priceText(price, decimals), valueType)
}

/** Adds the unit to a number that is already text. */
export function withUnit(number: string, valueType: Units['valueType']): string {
  if (valueType === 'money') return `$\u00a0${number}`
  return valueType === 'points' ? `${number}\u00a0puntos` : number
}

/** A value in embeds and mails: `$ 1.500,00`, `$ 1,6378`, `980 puntos`. */
export function embedValueText(value: number, { valueType, decimals }: Units): string {
  if (valueType === 'points') return `${numberText(value)} puntos`
  if (valueType === 'coefficient') return `${numberText(value, 2)} puntos`
  return `$ ${numberText(value, 2, Math.max(2, decimals))}`
}

/** A percent in embeds and mails, with a plain minus. */
export function embedPercentText(percent: number, least = 0): string {
  const number = numberText(percent, least, 2).replace('−', '-')
  return `${percent > 0 ? '+' : ''}${number} %`
}

/** `+1,42 %`. A percent that rounds to zero has no sign: `0,00 %`. */
export function percentText(percent: number): string {
  const text = numberText(percent, 2)
  return `${percent > 0 && /[1-9]/.test(text) ? '+' : ''}${text}\u00a0%`
}

/** An amount is a whole number of millionths. */
const AMOUNT_DECIMALS = 6
const MAX_DIGITS = 12

/** The amount of a text such as `1.500,50`, `1500.5` or `1500`; null when the text is no amount. */
export function parseAmount(text: string): bigint | null {
  const typed = text.replace(/[\s$]/g, '')
  if (!/^\d[\d.,]*$/.test(typed)) return null

  const separator = decimalSeparator(typed)
  const at = separator === '' ? typed.length : typed.lastIndexOf(separator)
  const [grouped, fraction] = [typed.slice(0, at), typed.slice(at + 1)]
  const whole = grouped.replace(/[.,]/g, '')
  const isGrouped = grouped === whole || /^\d{1,3}([.,]\d{3})+$/.test(grouped)
  if (whole.length > MAX_DIGITS || !isGrouped) return null
  if (!/^\d*$/.test(fraction) || fraction.length > AMOUNT_DECIMALS) return null

  return BigInt(whole + fraction.padEnd(AMOUNT_DECIMALS, '0'))
}

/**
 * The decimal separator: the comma, or the last of both marks if both appear. Dots that form groups
 * of three digits separate thousands.
 */
function decimalSeparator(typed: string): string {
  const [comma, dot] = [typed.lastIndexOf(','), typed.lastIndexOf('.')]
  if (comma !== -1 && dot !== -1) return comma > dot ? ',' : '.'
  if (comma !== -1) return ','
  return dot !== -1 && !/^\d{1,3}(\.\d{3})+$/.test(typed) ? '.' : ''
}

/** An amount without zeros at its end: `1.500,50`, `1.000`. */
export function amountText(amount: bigint): string {
  return scaledText(amount, AMOUNT_DECIMALS, amount % 1_000_000n === 0n ? 0 : 2)
}

/** `recién`, `hace 3 min`, `hace 2 h`, `hace 4 días`. */
export function ageText(since: Instant, now: Instant): string {
  const age = now - since
  if (age < MINUTE_MS) return 'recién'
  if (age < HOUR_MS) return `hace ${Math.floor(age / MINUTE_MS)} min`
  if (age < DAY_MS) return `hace ${Math.floor(age / HOUR_MS)} h`
  const days = Math.floor(age / DAY_MS)
  return days === 1 ? 'hace 1 día' : `hace ${days} días`
}

/** A day `2026-11-21` as `21/11/2026`. */
export function dayText(day: Day): string {
  return day.split('-').toReversed().join('/')
}

/** January has index 0. */
export const MONTHS =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(
    ' ',
  )

/** A day `2026-11-21` as `21 de noviembre de 2026`. */
export function longDayText(day: Day): string {
  const [year, month, date] = day.split('-').map(Number)
  return `${date} de ${MONTHS[month! - 1]} de ${year}`
}

/** The month of a day as `nov 26`. */
export function monthText(day: Day): string {
  return `${MONTHS[Number(day.slice(5, 7)) - 1]!.slice(0, 3)} ${day.slice(2, 4)}`
}

/** `15:04`, or `15:04:05`, Argentine time. */
export function clockText(instant: Instant, to: 'minutes' | 'seconds' = 'minutes'): string {
  return formatArgentine(instant).slice(11, to === 'minutes' ? 16 : 19)
}

/** `21/11/2026 15:04`, Argentine time. */
export function momentText(instant: Instant, to?: 'minutes' | 'seconds'): string {
  return `${dayText(argentineDay(instant))} ${clockText(instant, to)}`
}
