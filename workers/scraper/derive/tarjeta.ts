import { Big } from 'big.js'
import type { Derivation } from '../pair-source.ts'
import { quoteIn } from './quoted.ts'

/**
 * The card dollar: Banco Nación's × (1 + rate) on both sides. The 30 % on account of Ganancias
 * and Bienes Personales is RG ARCA 5617/2024's, in force since 23 December 2024. The norm takes
 * the seller rate of the previous business day; every data source takes the current one, and so
 * do we. Some papers wrote in January 2026 that it had ended; the data go on with it.
 */
export function tarjetaOf(source: string): Derivation {
  return (documents, { tarjetaRate }) => {
    const quote = quoteIn(documents, source, 'USD/BNA')
    const factor = tarjetaRate.plus(1)
    return quote && { ...quote, buy: quote.buy.times(factor), sell: quote.sell.times(factor) }
  }
}

/** Ámbito taxes only the sell: its buy is Banco Nación's, without the perception. */
export function turista(source: string): Derivation {
  return (documents, { tarjetaRate }) => {
    const quote = quoteIn(documents, source, 'USD/TARJETA')
    return quote && { ...quote, buy: quote.buy.times(tarjetaRate.plus(1)) }
  }
}

/** The rate of the configuration (`0.30`); throws when it is not a number from 0 to 2. */
export function parseTarjetaRate(text: string): Big {
  if (!/^\d(\.\d{1,4})?$/.test(text) || new Big(text).gt(2)) {
    throw new Error(`TARJETA_RATE must be a number from 0 to 2, such as 0.30`)
  }
  return new Big(text)
}
