/**
 * Slips: values that no step of the oracle's size tells from correct ones, and that were none. Their
 * own source says so, so that no guard and no second source has a say in it.
 */
import { HOUR_MS } from '../../../shared/argentine-time.ts'
import { countUntil } from './simulate.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import type { Observation } from './series.ts'

/** A smaller fault is none to a reader: sources stand that far apart by themselves. */
const LEAST = Math.log1p(0.02)

/** The faults on record stood for 40 minutes to 3 hours. */
const SOON_MS = 3 * HOUR_MS

/** The oracle's share of a step at which a value is back. */
const BACK = 1 / 3

const TWO_SIDES = 0.01

const SIDES = ['buy', 'sell'] as const

/**
 * No wholesale quote is so wide: those of 0.3 % alternate for weeks with values of banks' counters
 * that the first recording has under the wholesale dollar's name.
 */
const RETAIL_SPREAD = 0.02

/** Whether what a source said from an instant on was a slip. */
export function isSlip(pair: Pair, observations: readonly Observation[], now: number): boolean {
  const index = countUntil(observations, now) - 1
  const said = observations[index]
  if (!said) return false

  const isRetail = pairKey(pair) === 'USD/MAYORISTA' && said.sell / said.buy - 1 >= RETAIL_SPREAD
  const isCrossed = said.sell < said.buy
  return isRetail || isCrossed || isOneSide(observations, index) || isTakenBack(observations, index)
}

/** One number twice where the source gave two, 1 % or more apart. */
function isOneSide(observations: readonly Observation[], index: number): boolean {
  const { buy, sell } = observations[index]!
  if (buy !== sell) return false
  const before = observations.findLast((one, i) => i < index && one.buy !== one.sell)
  return before !== undefined && before.sell / before.buy - 1 >= TWO_SIDES
}

/**
 * A step of 2 % or more of one side, of which the next reading or one of the next three hours leaves a
 * third or less. A closing print has the next morning's reading.
 */
function isTakenBack(observations: readonly Observation[], index: number): boolean {
  const said = observations[index]!
  const first = firstOf(observations, index)
  const before = observations[first - 1]
  if (!before) return false

  const next = observations.findIndex((one, i) => i > index && !isSame(one, said))
  const soon = countUntil(observations, observations[first]!.at + SOON_MS)
  const later = next < 0 ? [] : observations.slice(next, Math.max(next + 1, soon))
  return SIDES.some((side) => {
    const step = Math.log(said[side] / before[side])
    const isBack = (one: Observation) => Math.log(one[side] / before[side]) / step <= BACK
    return Math.abs(step) >= LEAST && later.some(isBack)
  })
}

/** Where the source began to say what it says at an index. */
function firstOf(observations: readonly Observation[], index: number): number {
  let first = index
  while (first > 0 && isSame(observations[first - 1]!, observations[index]!)) first -= 1
  return first
}

function isSame(one: Observation, other: Observation): boolean {
  return one.buy === other.buy && one.sell === other.sell
}
