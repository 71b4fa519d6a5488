/** What one who knows the honest series knows of each pair: where a trial can be evaluated by itself. */
import { DAY_MS, HOUR_MS, type Instant } from '../../../../shared/argentine-time.ts'
import { type PairKey, pairKey } from '../../../../shared/market/catalog.ts'
import { isOpen } from '../../../../shared/market/market-hours.ts'
import { readBy } from '../read-by.ts'
import { classify, stepBetween } from '../oracle.ts'
import type { Observation } from '../series.ts'
import { countUntil, type PairSources, type ReplaySource, spanOf } from '../simulate.ts'
import { askedOf, CYCLE_MS, type Timetables } from '../timetable.ts'
import type { Sides } from './kinds.ts'

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
