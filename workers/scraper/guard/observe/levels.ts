import type { Price } from '../../../../shared/market/price.ts'

/** The two sides of a quote. */
export interface Level {
  buy: Price
  sell: Price
}

/** How far `to` stands from `from`: the natural logarithm of their ratio, so that up and down weigh the same. */
export function distance(from: Price, to: Price): number {
  return Math.log(to / from)
}

/** The step of the logarithm that a change of `share` upwards makes. */
export function stepOf(share: number): number {
  return Math.log1p(share)
}

/** The larger of the two sides' distances, whatever the direction. */
export function widest(from: Level, to: Level): number {
  return Math.max(Math.abs(distance(from.buy, to.buy)), Math.abs(distance(from.sell, to.sell)))
}

export function isSameLevel(a: Level, b: Level): boolean {
  return a.buy === b.buy && a.sell === b.sell
}

/** Sell over buy, less one; negative when the sides are inverted. */
export function spreadOf({ buy, sell }: Level): number {
  return sell / buy - 1
}
