/**
 * Labels faults, slips and genuine moves of a recorded series by its later values. It shares no
 * rule with the guard, which knows only the past.
 */
import { DAY_MS, HOUR_MS, type Instant } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import { isSameLevel, type Level, SIDES, widest } from '../../../workers/scraper/guard/level.ts'
import { LEAST } from './kinds.ts'
import type { PairRun, Publication } from './simulate.ts'
import { countUntil, type Observation, readingAt, readOf } from './sources.ts'

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

/** Counts the correct and wrong decisions of a simulation, by the labels of its readings. */
export function evaluate({ pair, sources, publications, holds }: PairRun) {
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
      return widest(then, reading) < widest(before, fault) / 3
    })
  }

  return {
    changes: publications.length,
    /** Published faults for which another provenance moved less than a third of the step. */
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

/** The recorded faults lasted 40 minutes to 3 hours. */
const SOON_MS = 3 * HOUR_MS

const TWO_SIDES = 0.01

/**
 * No wholesale quote has so wide a spread. The first recording has, under the wholesale dollar's
 * name, values of banks' counters, which alternate for weeks with wholesale quotes (0.3 %).
 */
const RETAIL_SPREAD = 0.02

/**
 * Whether a source's reading was a slip: wrong, but too small for a fault. Decided only by the
 * source's own readings.
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

/** Gives one number twice where the source had two, 1 % or more apart. */
function isOneSide(observations: readonly Observation[], index: number): boolean {
  const { buy, sell } = observations[index]!
  if (buy !== sell) return false
  const before = observations.findLast((one, i) => i < index && one.buy !== one.sell)
  return before !== undefined && before.sell / before.buy - 1 >= TWO_SIDES
}

/**
 * A step of 2 % or more of one side, which is undone to a third or less by the next reading or
 * within three hours. For a closing price the next reading is that of the next morning.
 */
function isTakenBack(observations: readonly Observation[], index: number): boolean {
  const said = observations[index]!
  const last = observations.findLastIndex((one, i) => i < index && !isSameLevel(one, said))
  const before = observations[last]
  if (!before) return false

  const next = observations.findIndex((one, i) => i > index && !isSameLevel(one, said))
  const soon = countUntil(observations, observations[last + 1]!.at + SOON_MS)
  const later = next < 0 ? [] : observations.slice(next, Math.max(next + 1, soon))
  return SIDES.some((side) => {
    const step = Math.log(said[side] / before[side])
    const isBack = (one: Level) => Math.log(one[side] / before[side]) / step <= BACK
    return Math.abs(step) >= LEAST && later.some(isBack)
  })
}

/**
 * - A notable step: 5 % or more of either side (15 % of a points index) from the last settled
 * value, or an impossible spread (sell below 0.8 or above 2.2 times buy).
 * - It is a fault when the series returns to less than a third of the step within two days, or
 * three weeks for a step by a factor of 2.5; everything until then belongs to the fault.
 * - Otherwise it is a genuine move. Smaller steps settle at once.
 */
export function classify(pair: Pair, series: readonly Observation[]) {
  const labelled: Labelled[] = []
  const moves: { at: Instant; from: Level; to: Level }[] = []
  const notable = Math.log1p(pair.valueType === 'points' ? NOTABLE_POINTS : NOTABLE)
  let settled = series.find((one) => !isNoMarket(one))
  for (let index = 0; index < series.length; index += 1) {
    const one = series[index]!
    const step = settled ? widest(settled, one) : 0
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

/** The index of the first observation back near the settled value, or null. */
function wayBack(series: readonly Observation[], from: number, settled: Level, step: number) {
  const { at } = series[from]!
  const patience = (step >= MAGNITUDE || isNoMarket(series[from]!) ? 21 : 2) * DAY_MS
  for (let index = from + 1; index < series.length; index += 1) {
    const one = series[index]!
    if (one.at - at > patience) return null
    if (!isNoMarket(one) && widest(settled, one) <= Math.max(step * BACK, 0.01)) return index
  }
  return null
}

function isNoMarket({ buy, sell }: Level): boolean {
  return buy <= 0 || sell <= 0 || sell / buy < 0.8 || sell / buy > 2.2
}
