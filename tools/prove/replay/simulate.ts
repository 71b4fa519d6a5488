import { type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { type Pair, type PairKey, pairKey } from '../../../shared/market/catalog.ts'
import { isLookedOn, pairRhythm, type PairRhythm } from '../../../shared/market/market-hours.ts'
import { type Decision, isHolding } from '../../../workers/scraper/guard/guard.ts'
import type { Candidate } from '../../../workers/scraper/pairs/pair-source.ts'
import { firstIndex } from '../../support/first-index.ts'
import {
  type GuardState,
  evaluateCycle,
  NEVER_READ,
  type Level,
  type OtherPair,
  otherPair,
} from './guard.ts'
import { Holds } from './holds.ts'
import type { Observation } from './series.ts'
import type { Simulation } from './simulation.ts'
import { askedOf, CYCLE_MS, type Timetable, type Timetables } from './timetable.ts'

/** One of the sources of a replay: whenever it is asked, it says its latest observation. */
export interface ReplaySource {
  name: string
  provenance: string
  /** True unless said otherwise. */
  sameDefinition?: boolean
  /** False unless said otherwise. */
  onlySell?: boolean
  /** When it is asked; in every cycle when absent. */
  rhythm?: PairRhythm
  observations: readonly Observation[]
}

export interface SimulateOptions {
  /** Sources with a rhythm are asked at it; all in every cycle when absent. */
  timetable?: Timetables
  /** The value in effect of another pair, where the replay holds one. */
  others?: (pair: PairKey, now: Instant) => OtherPair | null
}

export interface PairSources {
  pair: Pair
  sources: readonly ReplaySource[]
}

/** Told of each cycle in which a pair was asked. */
export type Watch = (pair: Pair, now: Instant, before: GuardState, after: GuardState) => void

/** Runs the guard over a pair's recorded sources, one cycle every five minutes. */
export function simulate(
  pair: Pair,
  sources: readonly ReplaySource[],
  options: SimulateOptions = {},
): Simulation {
  return simulateMarket([{ pair, sources }], options)[0]!
}

/** Runs the guard over several pairs at once, each of which sees what the others have in effect. */
export function simulateMarket(
  market: readonly PairSources[],
  options: SimulateOptions = {},
  watch?: Watch,
): Simulation[] {
  const { start, end } = spanOf(market.flatMap(({ sources }) => sources))
  const inEffect = new Map<PairKey, OtherPair | null>()
  const others = (key: PairKey) => inEffect.get(key) ?? null
  const runs = market.map(({ pair, sources }) => ({
    pair,
    run: new PairRun(pair, sources, { others, ...options }),
    holds: new Holds(),
    simulation: { sources: sources.length, publications: [], holds: [] } as Simulation,
  }))

  for (let now = start; now <= end; now += CYCLE_MS) {
    for (const { pair, run, holds, simulation } of runs) {
      const before = run.state
      const decision = run.cycle(now)
      if (!decision) continue

      watch?.(pair, now, before, run.state)
      holds.note(decision, now)
      if (!decision.publish) continue
      const { buy, sell, source } = decision.publish
      simulation.publications.push({ at: now, buy, sell, source })
    }
    // A cycle judges every pair by what was in effect before it.
    for (const { pair, run } of runs)
      inEffect.set(pairKey(pair), otherPair(run.state, run.says(now + CYCLE_MS)))
  }

  return runs.map(({ simulation, holds }) => ({ ...simulation, holds: holds.all }))
}

/** The cycles from the first observation to three hours after the last. */
export function spanOf(sources: readonly Pick<ReplaySource, 'observations'>[]) {
  let first = Infinity
  let last = -Infinity
  for (const { at } of sources.flatMap(({ observations }) => observations)) {
    first = Math.min(first, at)
    last = Math.max(last, at)
  }
  return { start: Math.ceil(first / CYCLE_MS) * CYCLE_MS, end: last + 180 * MINUTE_MS }
}

/** A pair and its sources, cycle after cycle. */
export class PairRun {
  state: GuardState
  readonly #pair: Pair
  readonly #options: SimulateOptions
  readonly #listeners: Listener[]

  constructor(
    pair: Pair,
    sources: readonly ReplaySource[],
    options: SimulateOptions = {},
    state: GuardState = NEVER_READ,
  ) {
    this.state = state
    this.#pair = pair
    this.#options = options
    this.#listeners = sources.map(
      (source) => new Listener(pair, source, askedOf(pair, source, options.timetable)),
    )
  }

  /** What its documents print, whether or not its own turn has come: one may hold several pairs. */
  says(now: Instant): readonly Level[] {
    return this.#listeners.flatMap((listener) => listener.level(now) ?? [])
  }

  /** What the guard decides; null in a cycle in which no source of the pair is due. */
  cycle(now: Instant): Decision | null {
    const { others } = this.#options
    const isWaiting = isHolding(this.state.memory) && isLookedOn(pairRhythm(this.#pair).hours, now)
    const due = this.#listeners.filter(({ timetable }) => isWaiting || timetable.isAsked(now))
    if (due.length === 0) return null

    const rest = this.#listeners.filter((listener) => !due.includes(listener))
    const { decision, state } = evaluateCycle(this.state, {
      pair: this.#pair,
      now,
      asked: due.flatMap((listener) => listener.says(now)),
      reserve: rest.flatMap((listener) => listener.says(now)),
      others: (pair) => others?.(pair, now) ?? null,
    })
    this.state = state
    return decision
  }
}

class Listener {
  readonly source: ReplaySource
  readonly timetable: Timetable
  readonly #pair: Pair
  #next = 0

  constructor(pair: Pair, source: ReplaySource, timetable: Timetable) {
    this.#pair = pair
    this.source = source
    this.timetable = timetable
  }

  level(now: Instant): Observation | undefined {
    const { observations } = this.source
    if (this.#next === 0 || (observations[this.#next - 1]?.at ?? 0) > now)
      this.#next = countUntil(observations, now)
    while ((observations[this.#next]?.at ?? Infinity) <= now) this.#next += 1
    return observations[this.#next - 1]
  }

  says(now: Instant): Candidate[] {
    const { name, provenance, sameDefinition = true, onlySell = false } = this.source
    const said = this.level(now)
    if (!said) return []
    const { buy, sell } = said
    return [{ pair: this.#pair, source: name, provenance, sameDefinition, onlySell, buy, sell }]
  }
}

/** How many observations were made until an instant, itself included. */
export function countUntil(observations: readonly { at: Instant }[], now: Instant): number {
  return firstIndex(observations.length, (index) => observations[index]!.at > now)
}
