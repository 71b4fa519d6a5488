import { type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { type Pair, type PairKey, pairKey, PAIRS } from '../../../shared/market/catalog.ts'
import { isLookedOn, pairRhythm, type PairRhythm } from '../../../shared/market/market-hours.ts'
import {
  type Decision,
  isHolding,
  accept,
  type Current,
} from '../../../workers/scraper/guard/guard.ts'
import type { Candidate } from '../../../workers/scraper/pairs/pair-source.ts'
import { firstIndex } from '../../support/first-index.ts'
import type { Observation } from './series.ts'
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

export interface Publication {
  at: Instant
  buy: number
  sell: number
  source: string
}

export interface Hold extends Publication {
  reason: string
  /** When the held value, or where it had moved, was published; null when it never was. */
  releasedAt: Instant | null
  /** How long it lasted, nights included. */
  minutes: number
}

export interface Simulation {
  /** How many sources spoke. */
  sources: number
  publications: Publication[]
  holds: Hold[]
}

/** The holds of a pair: one for as long as the guard holds the same source back near the same value. */
export class Holds {
  readonly all: Hold[] = []
  #open: Hold | null = null
  #last: Instant | null = null

  note({ publish, held }: Decision, now: Instant) {
    const pause = now - (this.#last ?? now)
    this.#last = now
    const open = this.#open
    if (open) open.minutes += pause / MINUTE_MS
    if (open && held?.candidate.source === open.source && isAbout(held.candidate, open)) return

    if (open) open.releasedAt = publish && isAbout(publish, open) ? now : null
    this.#open = null
    if (!held) return

    const { buy, sell, source } = held.candidate
    const { reason } = held
    this.#open = { at: now, buy, sell, source, reason, releasedAt: null, minutes: 0 }
    this.all.push(this.#open)
  }
}

function isAbout(publish: Candidate, hold: Hold): boolean {
  return (
    Math.abs(publish.sell / hold.sell - 1) < 0.05 && Math.abs(publish.buy / hold.buy - 1) < 0.05
  )
}

interface Level {
  buy: number
  sell: number
}

/** What is kept of a pair between two cycles. */
export interface GuardState {
  current: Current | null
  memory: unknown
  /** What its sources last said. */
  readings: readonly Level[]
}

/** What other pairs see of a pair. */
export type OtherPair = Current & Pick<GuardState, 'readings'>

interface CycleReadings {
  pair: Pair
  now: Instant
  /** What the sources that were due say. */
  asked: readonly Candidate[]
  /** What the others would say, asked when the guard wants more. */
  reserve: readonly Candidate[]
  /** The value in effect of every other pair: its relatives are among them. */
  others: (pair: PairKey) => OtherPair | null
}

/** Sources of a first value contradict each other: time or another one of them decides. */
const UNSETTLED = ['unsettled', 'witness']

export const NEVER_READ: GuardState = { current: null, memory: undefined, readings: [] }

/** One cycle of a pair. */
function evaluateCycle(
  state: GuardState,
  read: CycleReadings,
): { decision: Decision; state: GuardState } {
  const first = decide(state, read, read.asked)
  const decision =
    first.needsFallback && read.reserve.length > 0
      ? decide(state, read, [...read.asked, ...read.reserve])
      : first
  return {
    decision,
    state: {
      current: nextCurrent(state, decision, read.now),
      memory: decision.memory,
      readings: readingsOf(decision.memory.sources, state.readings),
    },
  }
}

/**
 * A recording may begin in a unit or with a tax that no pair has today (CLP per 100 until September
 * 2024, the card dollar's 60 %): its first value is accepted as an operator would do it.
 */
function decide(
  { current, memory }: GuardState,
  { pair, now, others }: CycleReadings,
  candidates: readonly Candidate[],
): Decision {
  const market = PAIRS.flatMap((pair) => {
    const value = others(pairKey(pair))
    return value ? [{ pair, ...value }] : []
  })
  const input = { pair, current, memory, candidates, failed: [], market, now }
  const decision = accept({ ...input, override: null })
  if (current || !decision.held || UNSETTLED.includes(decision.held.reason)) return decision

  const { buy, sell } = decision.held.candidate
  return accept({ ...input, override: { buy, sell, status: 'accepted' } })
}

/** What other pairs see of it, with what its documents print in this cycle. */
export function otherPair(
  { current, readings }: GuardState,
  said: readonly Level[],
): OtherPair | null {
  return current && { ...current, readings: [...readings, ...said] }
}

/** The same list for as long as nothing changes: what remembers it can compare by reference. */
function readingsOf(sources: readonly Level[], before: readonly Level[]): readonly Level[] {
  const isSame =
    sources.length === before.length &&
    sources.every(({ buy, sell }, index) => {
      const known = before[index]!
      return known.buy === buy && known.sell === sell
    })
  return isSame ? before : sources.map(({ buy, sell }) => ({ buy, sell }))
}

function nextCurrent(
  { current }: GuardState,
  { publish, confirmed, source }: Decision,
  now: Instant,
): Current | null {
  if (publish) {
    const { buy, sell } = publish
    return { buy, sell, source: publish.source, updatedAt: now, lastScrapedAt: now }
  }
  if (!current || !confirmed) return current

  return { ...current, source: source ?? current.source, lastScrapedAt: now }
}
