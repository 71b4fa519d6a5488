/** What one who knows the honest series knows of each pair: where a trial can be evaluated by itself. */
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { type PairKey, pairKey } from '../../../shared/market/catalog.ts'
import { isOpen } from '../../../shared/market/market-hours.ts'
import { askedOf, CYCLE_MS, type Timetables } from './timetable.ts'
import { readBy } from './sources.ts'
import { classify, stepBetween } from './evaluate.ts'
import type { Observation } from './series.ts'
import { countUntil, type PairSources, type ReplaySource, spanOf } from './simulate.ts'
import type { Sides } from './kinds.ts'
import { firstIndex } from '../../support/first-index.ts'

/** The guard has read a pair this long before it is tried. */
const WARM_MS = 7 * DAY_MS

/** A source that did not change for longer is not alive. */
const LIVE_MS = 3 * DAY_MS

/** So far from a fault or a move of the recording is a trial. */
const AROUND_MS = 6 * HOUR_MS

/** Sources of one pair further apart than this are not both right. */
const APART = 0.05

/** A change that readers would call a usual one lies between these, as a logarithm. */
const LEAST_USUAL = 0.003
const MOST_USUAL = 0.03

export interface Honest extends PairSources {
  key: PairKey
  /** Cycles in which the faulted source is asked, once the guard knows the pair. */
  instants: readonly Instant[]
  /** Three of four changes of the faulted source are smaller, as a logarithm. */
  usual: number
  /** What went wrong by itself, or moved by 5 % or more: no trial touches it. */
  unquiet: readonly { at: Instant }[]
  changes: readonly { at: Instant }[]
}

export function honestOf(
  { pair, sources }: PairSources,
  faulted: ReplaySource,
  timetable: Timetables,
): Honest {
  const read = sources.map((source) => readBy(pair, source, timetable))
  const labelled = read.map(({ observations }) => classify(pair, observations))
  const unquiet = labelled.flatMap(({ classified, moves }) => [
    ...classified.filter(({ label }) => label !== 'settled'),
    ...moves,
  ])
  const ownSeries = read[sources.indexOf(faulted)]!.observations
  const changed = ownSeries.filter((one, index) => {
    const before = ownSeries[index - 1]
    return before && stepBetween(before, one) > 0
  })

  return {
    pair,
    key: pairKey(pair),
    sources,
    instants: instantsOf({ pair, sources }, faulted, timetable),
    usual: usualOf(ownSeries),
    unquiet: unquiet.toSorted((a, b) => a.at - b.at),
    changes: changed,
  }
}

/** Whether nothing of its own happens around a trial, and the pair is alive. */
export function isQuiet(
  { unquiet, changes, sources }: Honest,
  from: Instant,
  until: Instant,
): boolean {
  const early = from - AROUND_MS
  const late = until + AROUND_MS
  if (countUntil(unquiet, late) > countUntil(unquiet, early)) return false
  if (countUntil(changes, from) === countUntil(changes, from - LIVE_MS)) return false

  const readings = sources.flatMap(({ observations }) => readingAt(observations, from) ?? [])
  return (
    readings.length === sources.length &&
    readings.every(({ sell }) => Math.abs(Math.log(sell / readings[0]!.sell)) <= APART)
  )
}

/** What a source says at an instant. */
export function readingAt(observations: readonly Observation[], now: Instant): Sides | undefined {
  return observations[countUntil(observations, now) - 1]
}

function instantsOf(
  { pair, sources }: PairSources,
  faulted: ReplaySource,
  timetable: Timetables,
): Instant[] {
  const { isAsked } = askedOf(pair, faulted, timetable)
  const { rhythm } = faulted
  const spans = sources.map((source) => spanOf([source]))
  const start = Math.max(...spans.map(({ start }) => start)) + WARM_MS
  const end = Math.min(...spans.map(({ end }) => end)) - DAY_MS
  const instants: Instant[] = []
  for (let now = start; now <= end; now += CYCLE_MS) {
    if (!rhythm || (isOpen(rhythm.hours, now) && isAsked(now))) instants.push(now)
  }
  return instants
}

function usualOf(observations: readonly Observation[]): number {
  const steps = observations
    .slice(1)
    .map((one, index) => Math.abs(Math.log(one.sell / observations[index]!.sell)))
    .filter((step) => step > 0 && step < 1)
    .toSorted((a, b) => a - b)
  const usual = steps[Math.floor(steps.length * 0.75)] ?? LEAST_USUAL
  return Math.min(Math.max(usual, LEAST_USUAL), MOST_USUAL)
}

/** The longest that a reader may be shown a value that others have left. */
export const KEPT_MINUTES = 30

/** Honest readings further apart than this contradict each other: nobody knows which is right. */
const DISPUTED = 0.03

const RIGHT = 0.01

/*
 * A stale value is wrong once another source has moved by a usual step since it began, and the
 * honest readings of all sources lie a usual step away from it. What lies between them, or a hair
 * outside, is a matter of definition; and while nobody but the stopped source moved, nothing tells.
 */

/** How far a sell lies outside the honest readings of an instant, as a logarithm; 0 between them. */
export function outside(honest: Honest, sell: number, now: Instant): number {
  const readings = honest.sources.flatMap(
    ({ observations }) => readingAt(observations, now)?.sell ?? [],
  )
  if (readings.length === 0) return 0

  return Math.max(0, Math.log(sell / Math.max(...readings)), Math.log(Math.min(...readings) / sell))
}

/** Whether a value that stopped at `from` was left: another source moved, and it lies outside. */
export function isLeft(
  honest: Honest,
  { faulted, from, sell }: { faulted: string; from: Instant; sell: number },
  now: Instant,
): boolean {
  if (outside(honest, sell, now) <= honest.usual) return false

  return honest.sources.some(({ name, observations }) => {
    const then = readingAt(observations, from)
    const reading = readingAt(observations, now)
    if (name === faulted || !then || !reading) return false
    return Math.abs(Math.log(reading.sell / then.sell)) >= honest.usual
  })
}

/** Whether no other honest reading is far away. */
export function isUndisputed({ sources }: Honest, reading: Sides, now: Instant): boolean {
  return sources.every(({ observations }) => {
    const other = readingAt(observations, now)
    return !other || Math.abs(Math.log(other.sell / reading.sell)) <= DISPUTED
  })
}

/** As near to the honest readings as this, the value in effect is right. */
export function rightWithin({ usual }: Honest): number {
  return Math.max(RIGHT, usual)
}

/** Whether a source that stops at `from` is left behind for long enough that it matters. */
export function isWorthTrying(
  honest: Honest,
  faulted: ReplaySource,
  from: Instant,
  until: Instant,
): boolean {
  const stale = readingAt(faulted.observations, from)
  if (!stale) return false

  const minutes = faulted.rhythm?.everyMinutes ?? CYCLE_MS / MINUTE_MS
  let left = 0
  const { instants } = honest
  const first = firstIndex(instants.length, (index) => instants[index]! >= from)
  for (let index = first; index < instants.length && left <= KEPT_MINUTES; index += 1) {
    const now = instants[index]!
    if (now >= until) return false
    const since = { faulted: faulted.name, from, sell: stale.sell }
    left = isLeft(honest, since, now) ? left + minutes : 0
  }
  return left > KEPT_MINUTES
}
