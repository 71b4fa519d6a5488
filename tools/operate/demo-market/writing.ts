import { addDays, type Day, formatArgentine, type Instant } from '../../../shared/argentine-time.ts'
import { isBankDay } from '../../../shared/market/holidays.ts'

/** `1520.4` → 1520.4 with so many decimals, as a number. */
export function cut(value: number, decimals = 2): number {
  return Number(value.toFixed(decimals))
}

/** `1520,40` */
export function comma(value: number, decimals = 2): string {
  return value.toFixed(decimals).replace('.', ',')
}

/** `1.520,4000` */
export function dottedComma(value: number, decimals: number): string {
  const [whole, fraction] = value.toFixed(decimals).split('.') as [string, string]
  return `${whole.replace(/\B(?=(\d{3})+$)/g, '.')},${fraction}`
}

/** `21/08/2026`, or with another mark; `5/8/2026` without padding. */
export function dayMonthYear(day: Day, mark = '/', padded = true): string {
  const [year, month, date] = day.split('-') as [string, string, string]
  const parts = padded ? [date, month, year] : [String(Number(date)), String(Number(month)), year]
  return parts.join(mark)
}

/** Argentine `HH:MM`. */
export function clock(now: Instant): string {
  return formatArgentine(now).slice(11, 16)
}

/** Argentine `HH:MM:SS`. */
export function longClock(now: Instant): string {
  return formatArgentine(now).slice(11, 19)
}

export function daysFrom(from: Day, to: Day): Day[] {
  const days: Day[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}

export function bankDaysFrom(from: Day, to: Day): Day[] {
  return daysFrom(from, to).filter(isBankDay)
}

export const MONTHS =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(
    ' ',
  )
