export type Direction = 'up' | 'down' | 'flat'

/** A price is a whole number of ten-thousandths. */
export function priceText(price: number, decimals: number): string
export function valueText(
  price: number,
  units: { valueType: 'money' | 'points' | 'coefficient'; decimals: number },
): string
export function percentText(percent: number): string
export function percentAbove(price: number, base: number): number
export function directionOf(amount: number): Direction
export const ARROWS: Record<Direction, string>
export const DIRECTION_WORDS: Record<Direction, string>
export function ageText(since: number, now: number): string
export function dayOf(instant: number): number
export function argentineText(instant: number, options: Intl.DateTimeFormatOptions): string
export function rangeText(low: number, high: number, decimals: number): string
export function blueSummary(sell: number, gap: number | null): string
export function barsOf(percents: readonly (number | null)[]): { x: number; width: number }[]
