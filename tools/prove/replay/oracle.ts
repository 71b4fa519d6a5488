/**
 * What was a fault and what a genuine move, told from the series itself by one who knows the
 * future. It shares nothing with the guard, whose past is all it has.
 *
 * - A notable step is one of 5 % or more of either side (15 % of a points index) against the last
 *   settled value, or a spread that no market has (sell less than 0.8 or more than 2.2 of buy).
 * - It is a fault when the series comes back within two days, three weeks for a step of three
 *   times or more, to less than a third of the step; everything until then belongs to the fault.
 * - Otherwise it is a genuine move. Smaller steps settle at once.
 */
import { DAY_MS, type Instant } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { Observation } from './series.ts'

const NOTABLE = 0.05
const NOTABLE_POINTS = 0.15
const GROSS = 0.15
const MAGNITUDE = Math.log(2.5)
const BACK = 1 / 3

export type Label = 'settled' | 'mild-fault' | 'gross-fault'

export interface Classified extends Observation {
  label: Label
  /** Which fault or move it begins or belongs to; observations of one fault share it. */
  event: number | null
}

export interface Move {
  at: Instant
  from: Observation
  to: Observation
  /** The sides that made a notable step. */
  sides: ('buy' | 'sell')[]
}

export function classify(
  pair: Pair,
  series: readonly Observation[],
): { classified: Classified[]; moves: Move[] } {
  const notable = Math.log1p(pair.valueType === 'points' ? NOTABLE_POINTS : NOTABLE)
  const classified: Classified[] = []
  const moves: Move[] = []
  let faults = 0
  let settled = series.find((one) => !isNoMarket(one))
  for (let index = 0; index < series.length; index += 1) {
    const one = series[index]!
    const step = settled ? stepBetween(settled, one) : 0
    if (!settled || (step < notable && !isNoMarket(one))) {
      settled = one
      classified.push({ ...one, label: 'settled', event: null })
      continue
    }

    const back = wayBack(series, index, settled, step)
    if (back === null) {
      moves.push({ at: one.at, from: settled, to: one, sides: notableSides(settled, one, notable) })
      settled = one
      classified.push({ ...one, label: 'settled', event: null })
      continue
    }

    faults += 1
    const isGross = step >= Math.log1p(GROSS) || isNoMarket(one)
    for (; index < back; index += 1) {
      const label = isGross ? 'gross-fault' : 'mild-fault'
      classified.push({ ...series[index]!, label, event: faults })
    }
    index -= 1
  }

  return { classified, moves }
}

function notableSides(from: Observation, to: Observation, notable: number): Move['sides'] {
  const sides = (['sell', 'buy'] as const).filter(
    (side) => sideStep(from[side], to[side]) >= notable,
  )
  return sides.length > 0 ? sides : ['sell']
}

/** The index of the first observation that is back near the settled value, or null. */
function wayBack(
  series: readonly Observation[],
  from: number,
  settled: Observation,
  step: number,
): number | null {
  const start = series[from]!.at
  const patience = (step >= MAGNITUDE || isNoMarket(series[from]!) ? 21 : 2) * DAY_MS
  for (let index = from + 1; index < series.length; index += 1) {
    const one = series[index]!
    if (one.at - start > patience) return null
    if (!isNoMarket(one) && stepBetween(settled, one) <= Math.max(step * BACK, 0.01)) return index
  }
  return null
}

/** The larger step of the two sides, as a logarithm; a zero is as far as a step can be. */
export function stepBetween(
  from: { buy: number; sell: number },
  to: { buy: number; sell: number },
) {
  return Math.max(sideStep(from.buy, to.buy), sideStep(from.sell, to.sell))
}

export function sideStep(from: number, to: number): number {
  return from > 0 && to > 0 ? Math.abs(Math.log(to / from)) : 99
}

function isNoMarket({ buy, sell }: { buy: number; sell: number }): boolean {
  return buy <= 0 || sell <= 0 || sell / buy < 0.8 || sell / buy > 2.2
}
