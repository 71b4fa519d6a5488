import type { Price } from '../../../shared/market/price.ts'

/** The two sides of a quote. */
export interface Level {
  buy: Price
  sell: Price
}

export type Side = keyof Level
export const SIDES = ['buy', 'sell'] as const

/** The distance of `to` from `from`: the natural logarithm of their ratio. */
export function distance(from: number, to: number): number {
  return Math.log(to / from)
}

/** The larger absolute distance of the two sides. */
export function widest(from: Level, to: Level): number {
  return Math.max(Math.abs(distance(from.buy, to.buy)), Math.abs(distance(from.sell, to.sell)))
}

/** Copies only the two sides. */
export function levelOf({ buy, sell }: Level): Level {
  return { buy, sell }
}

export function mapSides<T>(of: (side: Side) => T): Record<Side, T> {
  return { buy: of('buy'), sell: of('sell') }
}

export function isSameLevel(a: Level, b: Level): boolean {
  return a.buy === b.buy && a.sell === b.sell
}

export function clip(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value))
}

/** Density of the normal distribution. */
export function normal(off: number, scale: number): number {
  return Math.exp(-0.5 * (off / scale) ** 2) / (scale * Math.sqrt(2 * Math.PI))
}

/** Density of Student's t with three degrees of freedom: heavy tails. */
export function heavy(off: number, scale: number): number {
  return 2 / (Math.PI * Math.sqrt(3) * scale * (1 + (off / scale) ** 2 / 3) ** 2)
}
