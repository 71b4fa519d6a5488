/**
 * Labels faults, slips and genuine moves in a recorded series by its later values. Shares no rule
 * with the guard, which knows only earlier values.
 */
import { DAY_MS, type Instant } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import {
  distance,
  isSameLevel,
  type Level,
  SIDES,
  widest,
} from '../../../workers/scraper/guard/level.ts'
import { LEAST } from './kinds.ts'
import type { PairRun, Publication } from './simulate.ts'
import { countUntil, type Observation, readingAt, readOf } from './sources.ts'

/** A shorter hold does not count, because the guard waits two cycles for a second reading. */
const SHORT_HOLD_MINUTES = 10

/** A step of at least 5 % of either side is a fault or a genuine move. */
const NOTABLE = Math.log1p(0.05)
/** A step counts as undone when at most this share of the step is left. */
const BACK = 1 / 3
/** No market moves by such a factor in a day. */
const MAGNITUDE = Math.log(2.5)

interface Labelled extends Observation {
  /** For a fault, the observation before the fault began. Null for a settled value. */
  faultAfter: Observation | null
}

/** Counts correct and wrong decisions of a simulation, by the labels of the readings. */
export function evaluate({ pair, sources, publications, holds }: PairRun) {
  const known = sources.map((source) => ({ ...source, ...classify(readOf(source)) }))
  const sourceOf = ({ source }: Publication) => known.find(({ name }) => name === source)!
  const isContradicted = (shown: Publication) => {
    const { provenance, labelled } = sourceOf(shown)
    const fault = readingAt(labelled, shown.at)
    const before = fault?.faultAfter
    if (!before) return false
    return known.some((other) => {
      const then = readingAt(other.labelled, before.at)
      const reading = readingAt(other.labelled, shown.at)
      if (other.provenance === provenance || !then || !reading || reading.faultAfter) return false
      return widest(then, reading) < widest(before, fault) * BACK
    })
  }
  const isCorrect = (hold: Publication) => {
    const { labelled } = sourceOf(hold)
    return !readingAt(labelled, hold.at)!.faultAfter && !isSlip(pair, labelled, hold.at)
  }

  return {
    changes: publications.length,
    /** Published faults for which another provenance moved less than a third of the step. */
    contradicted: publications.filter(isContradicted).length,
    /** Correct values held for more than ten minutes. */
    correctHeld: holds.filter((hold) => hold.minutes > SHORT_HOLD_MINUTES && isCorrect(hold))
      .length,
  }
}

/**
 * Wholesale quotes have smaller spreads (0.3 %). Needed because in the first recording, for some
 * weeks, retail values of banks alternate with wholesale quotes under the wholesale dollar's name.
 */
const RETAIL_SPREAD = 0.02
/** A source with a wider spread than this gives two numbers. */
const TWO_SIDES = 0.01

/**
 * Whether a source's reading was a slip: wrong, but too small for a fault. Uses only the source's
 * own readings.
 */
export function isSlip(pair: Pair, observations: readonly Observation[], now: Instant): boolean {
  const index = countUntil(observations, now) - 1
  const { buy, sell } = observations[index]!
  const isRetail = pairKey(pair) === 'USD/MAYORISTA' && sell / buy - 1 >= RETAIL_SPREAD
  const isCopied = buy === sell && hadTwoSides(observations.slice(0, index))
  return isRetail || sell < buy || isCopied || isTakenBack(observations, index)
}

function hadTwoSides(observations: readonly Observation[]): boolean {
  const last = observations.findLast(({ buy, sell }) => buy !== sell)
  return last !== undefined && last.sell / last.buy - 1 >= TWO_SIDES
}

/** A step of 2 % or more of one side, which the source's next value undoes. */
function isTakenBack(observations: readonly Observation[], index: number): boolean {
  const shown = observations[index]!
  const isOther = (one: Level) => !isSameLevel(one, shown)
  const before = observations.slice(0, index).findLast(isOther)
  const next = observations.slice(index).find(isOther)
  if (!before || !next) return false

  return SIDES.some((side) => {
    const step = distance(before[side], shown[side])
    return Math.abs(step) >= LEAST && distance(before[side], next[side]) / step <= BACK
  })
}

/**
 * Labels notable steps from the last settled value. A step is a fault if the series returns near
 * that value within two days, or within three weeks after a step by a factor of 2.5. The fault
 * lasts until the return. Any other notable step is a genuine move. Smaller steps settle at once.
 */
export function classify(series: readonly Observation[]) {
  const labelled: Labelled[] = []
  const moves: { at: Instant; from: Level; to: Level }[] = []
  let settled = series[0]!
  for (let index = 0; index < series.length; index += 1) {
    const one = series[index]!
    const step = widest(settled, one)
    const back = step >= NOTABLE ? wayBack(series, index, settled, step) : -1
    if (back < 0) {
      if (step >= NOTABLE) moves.push({ at: one.at, from: settled, to: one })
      settled = one
      labelled.push({ ...one, faultAfter: null })
      continue
    }

    const faultAfter = labelled.at(-1)!
    labelled.push(...series.slice(index, back).map((one) => ({ ...one, faultAfter })))
    index = back - 1
  }

  return { labelled, moves }
}

/** The index of the first observation back near the settled value; −1 when there is none. */
function wayBack(series: readonly Observation[], from: number, settled: Level, step: number) {
  const isNear = (one: Level) => widest(settled, one) <= Math.max(step * BACK, 0.01)
  const until = series[from]!.at + (step >= MAGNITUDE ? 21 : 2) * DAY_MS
  return series.findIndex((one, index) => index > from && one.at <= until && isNear(one))
}
