/**
 * Labels faults, slips and genuine moves of a recorded series by what came later. It shares no rule with
 * the guard, which knows only the past.
 */
import { DAY_MS, HOUR_MS, type Instant } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import { isSameLevel } from '../../../workers/scraper/guard/level.ts'
import { LEAST } from './kinds.ts'
import type { Publication, Simulation } from './simulate.ts'
import {
  countUntil,
  type Observation,
  readingAt,
  readOf,
  type Sides,
  stepBetween,
} from './sources.ts'

/** A shorter hold is not counted: the guard waits two cycles for a second reading. */
const SHORT_HOLD_MINUTES = 10

const NOTABLE = 0.05
const NOTABLE_POINTS = 0.15
const MAGNITUDE = Math.log(2.5)
const BACK = 1 / 3

interface Labelled extends Observation {
  /** For a fault, the observation before it began; null for a settled value. */
  faultAfter: Observation | null
}

/** Counts what a simulation did right and wrong, by the labels of what was read. */
export function evaluate({ pair, sources, publications, holds }: Simulation) {
  const known = sources.map((source) => {
    const observations = readOf(source)
    return { ...source, observations, ...classify(pair, observations) }
  })
  type Shown = Pick<Publication, 'source' | 'at'>
  const sourceOf = ({ source }: Shown) => known.find(({ name }) => name === source)!
  const labelled = (shown: Shown) => readingAt(sourceOf(shown).labelled, shown.at)
  const isContradicted = (shown: Publication) => {
    const fault = labelled(shown)
    const before = fault?.faultAfter
    if (!before) return false
    return known.some((other) => {
      const then = readingAt(other.labelled, before.at)
      const reading = readingAt(other.labelled, shown.at)
      const isOther = other.provenance !== sourceOf(shown).provenance
      if (!isOther || !then || !reading || reading.faultAfter) return false
      return stepBetween(then, reading) < stepBetween(before, fault) / 3
    })
  }

  return {
    changes: publications.length,
    /** Faults published though a source of another provenance made less than a third of their step. */
    contradicted: publications.filter(isContradicted).length,
    /** Correct values held for more than ten minutes. */
    correctHeld: holds.filter(
      (hold) =>
        hold.minutes > SHORT_HOLD_MINUTES &&
        labelled(hold)?.faultAfter === null &&
        !isSlip(pair, sourceOf(hold).observations, hold.at),
    ).length,
  }
}

/** The faults on record stood for 40 minutes to 3 hours. */
const SOON_MS = 3 * HOUR_MS

const TWO_SIDES = 0.01

/**
 * No wholesale quote is so wide: those of 0.3 % alternate for weeks with values of banks' counters
 * that the first recording has under the wholesale dollar's name.
 */
const RETAIL_SPREAD = 0.02

/**
 * Whether a source's reading was a slip: wrong, but too small for a fault. Only the source's own
 * readings tell.
 */
export function isSlip(pair: Pair, observations: readonly Observation[], now: Instant): boolean {
  const index = countUntil(observations, now) - 1
  if (index < 0) return false

  const { buy, sell } = observations[index]!
  const isRetail = pairKey(pair) === 'USD/MAYORISTA' && sell / buy - 1 >= RETAIL_SPREAD
  return (
    isRetail || sell < buy || isOneSide(observations, index) || isTakenBack(observations, index)
  )
}

/** One number twice where the source gave two, 1 % or more apart. */
function isOneSide(observations: readonly Observation[], index: number): boolean {
  const { buy, sell } = observations[index]!
  if (buy !== sell) return false
  const before = observations.findLast((one, i) => i < index && one.buy !== one.sell)
  return before !== undefined && before.sell / before.buy - 1 >= TWO_SIDES
}

/**
 * A step of 2 % or more of one side, of which the next reading or one of the next three hours leaves
 * a third or less. A closing print has the next morning's reading.
 */
function isTakenBack(observations: readonly Observation[], index: number): boolean {
  const said = observations[index]!
  const last = observations.findLastIndex((one, i) => i < index && !isSameLevel(one, said))
  const before = observations[last]
  if (!before) return false

  const next = observations.findIndex((one, i) => i > index && !isSameLevel(one, said))
  const soon = countUntil(observations, observations[last + 1]!.at + SOON_MS)
  const later = next < 0 ? [] : observations.slice(next, Math.max(next + 1, soon))
  return (['buy', 'sell'] as const).some((side) => {
    const step = Math.log(said[side] / before[side])
    const isBack = (one: Sides) => Math.log(one[side] / before[side]) / step <= BACK
    return Math.abs(step) >= LEAST && later.some(isBack)
  })
}

/**
 * - A notable step is one of 5 % or more of either side (15 % of a points index) against the last
 *   settled value, or a spread that no market has (sell less than 0.8 or more than 2.2 of buy).
 * - It is a fault when the series comes back within two days, three weeks for a step of 2.5 times
 *   or more, to less than a third of the step; everything until then belongs to the fault.
 * - Otherwise it is a genuine move. Smaller steps settle at once.
 */
export function classify(pair: Pair, series: readonly Observation[]) {
  const labelled: Labelled[] = []
  const moves: { at: Instant; from: Sides; to: Sides }[] = []
  const notable = Math.log1p(pair.valueType === 'points' ? NOTABLE_POINTS : NOTABLE)
  let settled = series.find((one) => !isNoMarket(one))
  for (let index = 0; index < series.length; index += 1) {
    const one = series[index]!
    const step = settled ? stepBetween(settled, one) : 0
    const isNotable = settled !== undefined && (step >= notable || isNoMarket(one))
    const back = isNotable ? wayBack(series, index, settled!, step) : null
    if (back === null) {
      if (isNotable) moves.push({ at: one.at, from: settled!, to: one })
      settled = one
      labelled.push({ ...one, faultAfter: null })
      continue
    }

    const faultAfter = labelled.at(-1) ?? one
    labelled.push(...series.slice(index, back).map((one) => ({ ...one, faultAfter })))
    index = back - 1
  }

  return { labelled, moves }
}

/** The index of the first observation that is back near the settled value, or null. */
function wayBack(series: readonly Observation[], from: number, settled: Sides, step: number) {
  const { at } = series[from]!
  const patience = (step >= MAGNITUDE || isNoMarket(series[from]!) ? 21 : 2) * DAY_MS
  for (let index = from + 1; index < series.length; index += 1) {
    const one = series[index]!
    if (one.at - at > patience) return null
    if (!isNoMarket(one) && stepBetween(settled, one) <= Math.max(step * BACK, 0.01)) return index
  }
  return null
}

function isNoMarket({ buy, sell }: Sides): boolean {
  return buy <= 0 || sell <= 0 || sell / buy < 0.8 || sell / buy > 2.2
}
