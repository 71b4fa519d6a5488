import type { PairKey } from '../../../../shared/market/catalog.ts'
import type { DeriveContext, Derivation, DerivedQuote, Documents } from '../pair-source.ts'
import { newestInput } from './inputs.ts'
import { quoteIn } from './quoted.ts'

/** The dividend: a number (buy = sell) or a pair's quote, by source. */
type Base = { input: [source: string, name: string] } | { quote: [source: string, pair: PairKey] }

/** A daily number: buy and sell are the newest one. */
export function latestInput(source: string, name: string): Derivation {
  return (documents, { now }) => {
    const newest = newestInput(documents, source, name, now)
    return newest && { buy: newest.value, sell: newest.value, stamp: newest.day }
  }
}

/** A quote in dollars turned into another currency: `usd/blue × EUR/USD`. */
export function timesInput(
  quoteSource: string,
  pair: PairKey,
  inputSource: string,
  name: string,
): Derivation {
  return (documents, { now }) => {
    const quote = quoteIn(documents, quoteSource, pair)
    const factor = newestInput(documents, inputSource, name, now)?.value
    return quote && factor ? { buy: quote.buy.times(factor), sell: quote.sell.times(factor) } : null
  }
}

/** Pesos per unit = pesos per dollar / (units per dollar). */
export function crossRate(base: Base, [source, units]: [source: string, name: string]): Derivation {
  return (documents, context) => {
    const dollar = baseOf(base, documents, context)
    const perDollar = newestInput(documents, source, units, context.now)?.value
    if (!dollar || !perDollar) return null

    return { buy: dollar.buy.div(perDollar), sell: dollar.sell.div(perDollar) }
  }
}

function baseOf(base: Base, documents: Documents, { now }: DeriveContext): DerivedQuote | null {
  if ('quote' in base) return quoteIn(documents, ...base.quote)

  const value = newestInput(documents, ...base.input, now)?.value
  return value ? { buy: value, sell: value } : null
}
