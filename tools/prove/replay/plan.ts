/** Which trials a seed makes: the same whatever the guard, the mode and the other trials are. */
import { HOUR_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { PairKey } from '../../../shared/market/catalog.ts'
import { isOpen } from '../../../shared/market/market-hours.ts'
import type { ReplaySource } from './simulate.ts'
import {
  type Distortion,
  type FaultKind,
  type Kind,
  KINDS,
  type Sides,
  times,
  Random,
} from './kinds.ts'
import { type Honest, isQuiet, readingAt, isWorthTrying } from './market.ts'

export const MOVES: readonly number[] = [0.03, -0.03, 0.05, -0.05, 0.2, -0.2, 1.18]

/** Sources make the same move within this time. */
const STAGGER_MS = 20 * MINUTE_MS

/** A move is told early enough to be published before the day's hours end. */
const HOURS_LEFT = 4

const TRIES = 60

interface Placed {
  seed: number
  pair: PairKey
  from: Instant
}

export interface FaultTrial extends Placed {
  what: 'fault'
  kind: FaultKind
  until: Instant
  /** By the name of the source that shows it. */
  distortions: ReadonlyMap<string, Distortion>
  needsTwo: boolean
}

export interface MoveTrial extends Placed {
  what: 'move'
  step: number
  /** When each source shows it, by its name. */
  shownAt: ReadonlyMap<string, Instant>
  /** When the pair's relatives have it in effect; null when it moves alone. */
  relativesAt: Instant | null
}

export type Trial = FaultTrial | MoveTrial

export interface PlanOptions {
  seed: number
  trials: number
}

/** Where trials are placed: the pair, the source that gets the faults, and what it says of others. */
interface Place {
  honest: Honest
  faulted: ReplaySource
  others: (now: Instant) => readonly Sides[]
  seed: number
}

/** The trials of a pair: what cannot be placed is left out. */
export function planTrials(
  honest: Honest,
  faulted: ReplaySource,
  others: Place['others'],
  { seed, trials }: PlanOptions,
): Trial[] {
  const place = { honest, faulted, others, seed }
  const randomOf = (name: string) => new Random(seed, `${honest.key} ${name}`)
  const faults = KINDS.flatMap((kind) =>
    upTo(trials, (index) => placeFault(place, kind, randomOf(`${kind.name} ${index}`))),
  )
  const moves = MOVES.flatMap((step) =>
    upTo(Math.ceil(trials / 2), (index) => placeMove(place, step, randomOf(`${step} ${index}`))),
  )
  return [...faults, ...moves]
}

function placeFault(
  { honest, faulted, others, seed }: Place,
  { name, make, needsTwo = false }: Kind,
  random: Random,
): FaultTrial | null {
  if (needsTwo && honest.sources.length < 2) return null

  for (let tries = 0; tries < TRIES && honest.instants.length > 0; tries += 1) {
    const from = instantOf(honest, random)
    const reading = readingAt(faulted.observations, from)
    const fault =
      reading && make({ pair: honest.pair, honest: reading, others: others(from), random })
    if (!fault) continue

    const until = from + Math.round(fault.minutes) * MINUTE_MS
    if (!isQuiet(honest, from, until)) continue
    if (name === 'stale' && !isWorthTrying(honest, faulted, from, until)) continue

    const second = honest.sources.find((source) => source !== faulted)
    const names = [faulted.name, second?.name ?? '']
    const distortions = new Map(fault.distortions.map((one, index) => [names[index]!, one]))
    return { what: 'fault', seed, pair: honest.key, kind: name, from, until, distortions, needsTwo }
  }
  return null
}

function placeMove(
  { honest, faulted, seed }: Place,
  step: number,
  random: Random,
): MoveTrial | null {
  for (let tries = 0; tries < TRIES && honest.instants.length > 0; tries += 1) {
    const from = instantOf(honest, random)
    const late = from + HOURS_LEFT * HOUR_MS
    if (faulted.rhythm && !isOpen(faulted.rhythm.hours, late)) continue
    if (!isQuiet(honest, from, late)) continue

    const leader = random.pick(honest.sources)
    const shownAt = new Map(
      honest.sources.map((source) => [
        source.name,
        source === leader ? from : from + Math.round(random.unit() * STAGGER_MS),
      ]),
    )
    const relativesAt = random.coin() ? from + Math.round(random.unit() * STAGGER_MS) : null
    return { what: 'move', seed, pair: honest.key, step, from, shownAt, relativesAt }
  }
  return null
}

/** Within the five minutes before a cycle that asks. */
function instantOf({ instants }: Honest, random: Random): Instant {
  return random.pick(instants) - Math.floor(random.unit() * 5 * MINUTE_MS)
}

/** The distortion of a move: as long as the market lasts. */
export function moveOf({ pair }: Honest, step: number): Distortion {
  return times(pair, 1 + step, 1 + step)
}

function upTo<T>(count: number, make: (index: number) => T | null): T[] {
  return Array.from({ length: count }, (_, index) => make(index)).filter((one) => one !== null)
}
