import type { Big } from 'big.js'
import { argentineDay, type Day, type Instant } from '../../../../shared/argentine-time.ts'
import type { PairKey } from '../../../../shared/market/catalog.ts'
import type { Reading } from '../../sources/source.ts'
import { bothSides, type Derivation, quoteIn } from '../derivation.ts'

type DatedInput = Extract<Reading, { kind: 'input' }>

/** The number of this day exactly, not of an earlier day. */
export function inputOfDay(readings: readonly Reading[], name: string, day: Day): Big | null {
  return inputsOf(readings, name).find((input) => input.day === day)?.value ?? null
}

/** The newest number up to today. The readings may be in any order. */
function newestInput(readings: readonly Reading[], name: string, now: Instant): DatedInput | null {
  const today = argentineDay(now)
  const past = inputsOf(readings, name).filter((input) => input.day <= today)
  return past.toSorted((a, b) => a.day.localeCompare(b.day)).at(-1) ?? null
}

function inputsOf(readings: readonly Reading[], name: string): DatedInput[] {
  return readings.filter(
    (reading): reading is DatedInput => reading.kind === 'input' && reading.name === name,
  )
}

/**
 * A daily number: buy and sell are the newest number up to today. The BCRA publishes numbers of
 * future days too. The range of the request limits how old the number may be.
 */
export function latestInput(name: string): Derivation {
  return (readings, { now }) => {
    const newest = newestInput(readings, name, now)
    return newest && { ...bothSides(newest.value), stamp: newest.day }
  }
}

/** The quote of a dollar pair times a factor: `usd/blue × EUR/USD`. */
export function timesInput(pair: PairKey, name: string): Derivation {
  return (readings, { now }) => {
    const quote = quoteIn(readings, pair)
    const factor = newestInput(readings, name, now)?.value
    return quote && factor ? { buy: quote.buy.times(factor), sell: quote.sell.times(factor) } : null
  }
}

/**
 * The card dollar: Banco Nación's dollar × (1 + tax rate), on both sides. The tax is 30 % since 23
 * December 2024 (RG ARCA 5617/2024, an advance on income and wealth tax). The norm
 * uses the selling rate of the previous business day, but every data source uses the current rate,
 * and so do we. In January 2026 some newspapers wrote that the 30 % had ended; the sources still
 * include it.
 */
export const tarjeta: Derivation = (readings, { tarjetaRate }) => {
  const quote = quoteIn(readings, 'USD/BNA')
  const factor = tarjetaRate.plus(1)
  return quote && { ...quote, buy: quote.buy.times(factor), sell: quote.sell.times(factor) }
}

/** Ámbito adds the perception only to the sell, so this derivation adds it to the buy. */
export const turista: Derivation = (readings, { tarjetaRate }) => {
  const quote = quoteIn(readings, 'USD/TARJETA')
  return quote && { ...quote, buy: quote.buy.times(tarjetaRate.plus(1)) }
}
