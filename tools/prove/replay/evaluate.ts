import { type Instant, MINUTE_MS, HOUR_MS, DAY_MS } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import {
  countUntil,
  type ReplaySource,
  type Hold,
  type Publication,
  type Simulation,
} from './simulate.ts'
import type { Observation } from './series.ts'

/** Two sources that make the same move within this time made one move. */
const SAME_MOVE_MS = 36 * 60 * MINUTE_MS

/** A shorter hold is a second look, two cycles long. */
const SHORT_HOLD_MINUTES = 10

export type PairReport = ReturnType<typeof evaluate>

/** Evaluates a simulation by what the oracle says of each source. */
export function evaluate(
  pair: Pair,
  sources: readonly ReplaySource[],
  { publications, holds }: Simulation,
) {
  const classified = sources.map((source) => ({ source, ...classify(pair, source.observations) }))
  const labelOf = (name: string, at: Instant) => {
    const one = classified.find(({ source }) => source.name === name)
    return one?.classified[countUntil(one.classified, at) - 1]
  }
  const published = (label: string) =>
    publications.filter(({ source, at }) => labelOf(source, at)?.label === label)
  const settled = holds.filter(({ source, at }) => labelOf(source, at)?.label === 'settled')
  const isSlipOf = ({ source, at }: Hold) =>
    isSlip(pair, sources.find(({ name }) => name === source)?.observations ?? [], at)
  const correct = settled.filter((hold) => !isSlipOf(hold))
  const late = correct.filter(({ minutes }) => minutes > SHORT_HOLD_MINUTES)

  return {
    changes: publications.length,
    grossPublished: published('gross-fault'),
    /** Faults that were published though another source stood where it had been. */
    contradicted: publications.filter(({ source, at }) => {
      const label = labelOf(source, at)
      return label && label.label !== 'settled' && isContradicted(classified, label, source, at)
    }),
    moves: mergeMoves(classified.map(({ moves }) => moves)).map((sights) =>
      reportMove(sights, publications),
    ),
    /** Correct values held for more than ten minutes. */
    correctHeld: late.length,
    /** In minutes, nights included. */
    longestCorrectHold: Math.max(0, ...correct.map(({ minutes }) => minutes)),
  }
}

/** Whether a source of another origin made less than a third of the faulty step since it began. */
function isContradicted(
  classified: readonly { source: ReplaySource; classified: readonly Classified[] }[],
  fault: Classified,
  name: string,
  at: Instant,
): boolean {
  const own = classified.find(({ source }) => source.name === name)!
  const began = own.classified.findIndex(({ event }) => event === fault.event)
  const before = own.classified[began - 1]
  if (!before) return false
  return classified.some(({ source: { provenance }, classified: others }) => {
    const then = others[countUntil(others, before.at) - 1]
    const reading = others[countUntil(others, at) - 1]
    if (provenance === own.source.provenance || !then || reading?.label !== 'settled') return false
    return stepBetween(then, reading) < stepBetween(before, fault) / 3
  })
}

/**
 * Groups the moves of all sources: sights of the same move by different sources come together.
 * What only the second source did to its `buy` is its own affair.
 */
function mergeMoves(bySource: readonly (readonly Move[])[]): Move[][] {
  const [first = [], ...others] = bySource
  const left = others.map((moves) => [...moves])
  const merged = first.map((move) => {
    const sights = left.flatMap((moves) => {
      const index = moves.findIndex((other) => isSameMove(move, other))
      return index < 0 ? [] : moves.splice(index, 1)
    })
    return [move, ...sights]
  })
  const alone = left.flat().filter(({ sides }) => sides.includes('sell'))
  return [...merged, ...alone.map((move) => [move])]
}

function isSameMove(one: Move, other: Move): boolean {
  return Math.abs(one.at - other.at) <= SAME_MOVE_MS && isUp(one) === isUp(other)
}

function isUp({ from, to }: Move): boolean {
  return to.sell + to.buy > from.sell + from.buy
}

/** A move arrived when the sides that moved were published nearer to its end than a third of it. */
function reportMove(sights: readonly Move[], publications: readonly Publication[]) {
  const [move] = sights.toSorted((a, b) => a.at - b.at) as [Move, ...Move[]]
  const before = publications.findLastIndex(({ at }) => at < move.at)
  const arrived = publications
    .slice(Math.max(before, 0))
    .find((publication) => sights.some((sight) => isArrival(sight, publication)))
  const minutes = (from: Instant) =>
    arrived ? Math.max(0, Math.round((arrived.at - from) / MINUTE_MS)) : null
  const confirmedAt = sights.length > 1 ? Math.max(...sights.map(({ at }) => at)) : null

  return {
    at: move.at,
    from: move.from.sell,
    to: move.to.sell,
    /** Minutes from the first sight in any source until it was published; null when it never was. */
    delay: minutes(move.at),
    /** Minutes from the sight in the second source; null when only one source made the move. */
    delayConfirmed: confirmedAt === null ? null : minutes(confirmedAt),
  }
}

function isArrival({ from, to, sides }: Move, publication: Publication): boolean {
  return sides.every(
    (side) => sideStep(to[side], publication[side]) <= sideStep(from[side], to[side]) / 3,
  )
}

/** A smaller fault is none to a reader: sources stand that far apart by themselves. */
const LEAST = Math.log1p(0.02)

/** The faults on record stood for 40 minutes to 3 hours. */
const SOON_MS = 3 * HOUR_MS

const TWO_SIDES = 0.01

const SIDES = ['buy', 'sell'] as const

/**
 * No wholesale quote is so wide: those of 0.3 % alternate for weeks with values of banks' counters
 * that the first recording has under the wholesale dollar's name.
 */
const RETAIL_SPREAD = 0.02

/**
 * Whether what a source said from an instant on was a slip, which no step of the oracle's size tells
 * from a correct value. Its own source says so: no guard and no second source has a say in it.
 */
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

const NOTABLE = 0.05
const NOTABLE_POINTS = 0.15
const GROSS = 0.15
const MAGNITUDE = Math.log(2.5)
const BACK = 1 / 3

type Label = 'settled' | 'mild-fault' | 'gross-fault'

interface Classified extends Observation {
  label: Label
  /** Which fault or move it begins or belongs to; observations of one fault share it. */
  event: number | null
}

interface Move {
  at: Instant
  from: Observation
  to: Observation
  /** The sides that made a notable step. */
  sides: ('buy' | 'sell')[]
}

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

function sideStep(from: number, to: number): number {
  return from > 0 && to > 0 ? Math.abs(Math.log(to / from)) : 99
}

function isNoMarket({ buy, sell }: { buy: number; sell: number }): boolean {
  return buy <= 0 || sell <= 0 || sell / buy < 0.8 || sell / buy > 2.2
}
