import type { Big } from 'big.js'
import { argentineDay, type Day, type Instant } from '../../../../shared/argentine-time.ts'
import type { PairKey } from '../../../../shared/market/catalog.ts'
import type { Reading } from '../../sources/source.ts'
import { bothSides, type Derivation, quoteIn } from '../derivation.ts'

type DatedInput = Extract<Reading, { kind: 'input' }>

/** The number of exactly this day. */
export function inputOfDay(readings: readonly Reading[], name: string, day: Day): Big | null {
  return inputsOf(readings, name).find((input) => input.day === day)?.value ?? null
}

/** The newest number not later than today, in whatever order the days come. */
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
 * A daily number: buy and sell are the newest number up to today. The BCRA publishes ahead, so the
 * newest number of all would be of a future day. The range of the request limits its age.
 */
export function latestInput(name: string): Derivation {
  return (readings, { now }) => {
    const newest = newestInput(readings, name, now)
    return newest && { ...bothSides(newest.value), stamp: newest.day }
  }
}

/** A quote in dollars turned into another currency: `usd/blue × EUR/USD`. */
export function timesInput(pair: PairKey, name: string): Derivation {
  return (readings, { now }) => {
    const quote = quoteIn(readings, pair)
    const factor = newestInput(readings, name, now)?.value
    return quote && factor ? { buy: quote.buy.times(factor), sell: quote.sell.times(factor) } : null
  }
}

/**
 * The card dollar: Banco Nación's × (1 + rate) on both sides. The 30 % on account of Ganancias and
 * Bienes Personales is RG ARCA 5617/2024's, in force since 23 December 2024. The norm uses the
 * seller rate of the previous business day. Every data source uses the current rate, and so do we.
 * Some papers wrote in January 2026 that it had ended, but the data still include it.
 */
export const tarjeta: Derivation = (readings, { tarjetaRate }) => {
  const quote = quoteIn(readings, 'USD/BNA')
  const factor = tarjetaRate.plus(1)
  return quote && { ...quote, buy: quote.buy.times(factor), sell: quote.sell.times(factor) }
}

/** Ámbito taxes only the sell: its buy is Banco Nación's, without the perception. */
export const turista: Derivation = (readings, { tarjetaRate }) => {
  const quote = quoteIn(readings, 'USD/TARJETA')
  return quote && { ...quote, buy: quote.buy.times(tarjetaRate.plus(1)) }
}
