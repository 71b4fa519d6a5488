/** Texts of the home page, for the Worker and for the page's script. */
import { divideHalfAwayFromZero, type Price } from '../../../shared/market/price.ts'
import {
  amountText,
  parseAmount,
  percentText,
  priceText,
  scaledText,
} from '../../../shared/market/spanish-text.ts'

/** An amount in millionths times a price, in hundredths of a peso, halves rounded up. */
export function toPesos(amount: bigint, price: Price): bigint {
  return divideHalfAwayFromZero(amount * BigInt(price), 10n ** 8n)
}

const problem = (sentence: string) => ({ sentence, pesos: '—', inverse: '' })

/** The texts of the converter's result for a typed amount. `unit` names the currency. */
export function conversionOf(typed: string, price: Price | undefined, unit: string) {
  const amount = parseAmount(typed)
  if (amount === null) return problem('Escribí un monto como 1.500,50.')
  if (!price) return problem('Esa cotización todavía no tiene datos.')

  const shown = amountText(amount)
  const bought = divideHalfAwayFromZero(amount * 100n, BigInt(price))
  return {
    sentence: `${shown} ${unit} son`,
    pesos: `$ ${scaledText(toPesos(amount, price), 2)}`,
    inverse: `$ ${shown} son ${scaledText(bought, 4)} ${unit}`,
  }
}

/** The summary sentence of the page: the blue dollar and its gap to the official. */
export function blueSummary(sell: Price, gap: number | null): string {
  const price = `El blue se vende a $\u00a0${priceText(sell, 2)}`
  if (gap === null) return `${price}.`
  if (gap === 0) return `${price}, igual que el oficial.`
  const distance = percentText(Math.abs(gap)).slice(1)
  return `${price}, ${distance} ${gap > 0 ? 'más caro' : 'más barato'} que el oficial.`
}

/** Bar positions, in percent of the width, for values that share one zero line. */
export function barsOf(percents: readonly (number | null)[]): { x: number; width: number }[] {
  const known = percents.filter((percent) => percent !== null)
  const low = Math.min(0, ...known)
  const span = Math.max(0, ...known) - low || 1
  return percents.map((percent) => {
    if (percent === null) return { x: 0, width: 0 }
    const [from, to] = [Math.min(0, percent), Math.max(0, percent)]
    const x = Math.round(((from - low) / span) * 1000) / 10
    return { x, width: Math.max(0.6, Math.round(((to - from) / span) * 1000) / 10) }
  })
}
