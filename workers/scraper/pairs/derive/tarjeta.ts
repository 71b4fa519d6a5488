import { Big } from 'big.js'
import * as config from '../../../../shared/config/config.ts'
import type { Derivation } from '../pair-source.ts'
import { quoteIn } from './quoted.ts'

/**
 * The card dollar: Banco Nación's × (1 + rate) on both sides. The 30 % on account of Ganancias and
 * Bienes Personales is RG ARCA 5617/2024's, in force since 23 December 2024. The norm uses the
 * seller rate of the previous business day. Every data source uses the current rate, and so do we.
 * Some papers wrote in January 2026 that it had ended, but the data still include it.
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

/** The rate of the configuration (`0.30`). */
export function parseTarjetaRate(text: string | undefined): Big {
  return new Big(config.parseTarjetaRate(text))
}
