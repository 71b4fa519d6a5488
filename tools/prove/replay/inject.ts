/** Puts seeded faults and moves into recorded series and tells what became of each. */
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { MarketValue } from '../../../workers/scraper/guard/decision.ts'
import { type Distortion, distort, times } from './kinds.ts'
import { evaluate, isSlip } from './oracle.ts'
import {
  type FaultTrial,
  type Honest,
  honestOf,
  isAway,
  isLeft,
  isUndisputed,
  type MoveTrial,
  planTrials,
} from './plan.ts'
import { isSame, readingAt, type Sides } from './series.ts'
import { type GuardState, NEVER_READ, PairRun, simulate } from './simulate.ts'
import { CYCLE_MS, type PairSources, type ReplaySource, Timetable } from './sources.ts'

/** A trial is over once the pair was calm for this many minutes of its hours… */
const CALM_MINUTES = 60
/** …or when nobody would wait any longer. */
const MOST_MS = 14 * DAY_MS
/** A longer pause between two cycles is a night or a holiday: no time of the pair. */
const LONGEST_PAUSE_MS = HOUR_MS
const LATE_MINUTES = 10

/** All sources of a pair are read, or the faulted one alone. */
export type Mode = 'two' | 'alone'

export interface FaultOutcome {
  /** Whether what a faulted source showed was published. */
  isPublished: boolean
  /** Longest time that a value which others had left by a usual step was in effect. */
  keptMinutes: number
  /** Longest time that an honest reading was held, or that the value in effect stayed wrong after the fault. */
  shutOutMinutes: number
}

export interface Injected {
  faults: { mode: Mode; trial: FaultTrial; outcome: FaultOutcome }[]
  /** Minutes since every source showed it (two of them, or the only one); infinite when never. */
  moves: { mode: Mode; trial: MoveTrial; delay: number }[]
  /** What the undisturbed replay of each pair did. */
  clean: (ReturnType<typeof evaluate> & { mode: Mode; late: number })[]
}

export interface TrialWorld {
  honest: Honest
  /** The sources that the guard hears. */
  read: readonly ReplaySource[]
  /** As the undisturbed replay had it when the trial begins. */
  state: GuardState
  timetable: Timetable
  /** What all pairs have in effect in the undisturbed replay. */
  market: (now: Instant) => readonly MarketValue[]
}

export function inject(
  market: readonly PairSources[],
  { seeds, trials }: { seeds: readonly number[]; trials: number },
): Injected {
  const timetable = new Timetable(market)
  const planned = market.map((one) => {
    const honest = honestOf(one, timetable)
    const others = (now: Instant) =>
      market.flatMap((other) =>
        other === one ? [] : (readingAt(other.sources[0]!.observations, now) ?? []),
      )
    const plans = seeds.map((seed) => planTrials(honest, others, { seed, trials }))
    const faults = plans.flatMap((plan) => plan.faults)
    return { honest, faults, moves: plans.flatMap((plan) => plan.moves) }
  })

  const injected: Injected = { faults: [], moves: [], clean: [] }
  for (const mode of ['two', 'alone'] as const) runMode(mode, planned, timetable, injected)
  return injected
}

interface Planned {
  honest: Honest
  faults: FaultTrial[]
  moves: MoveTrial[]
}

function runMode(mode: Mode, planned: readonly Planned[], timetable: Timetable, into: Injected) {
  const pairs = planned
    .filter(({ honest }) => mode === 'alone' || honest.sources.length > 1)
    .map(({ honest, faults, moves }) => {
      const isTried = ({ kind }: FaultTrial) => mode === 'two' || !kind.needsTwo
      const trials = { faults: faults.filter(isTried), moves }
      return {
        honest,
        read: mode === 'alone' ? [honest.faulted] : honest.sources,
        ...trials,
        waiting: [...trials.faults, ...moves].toSorted((a, b) => b.from - a.from),
        late: new Stretch(LATE_MINUTES),
      }
    })
  const pairOf = new Map(pairs.map((one) => [one.honest.pair, one]))
  const states = new Map<FaultTrial | MoveTrial, GuardState>()
  const markets = new Map<Instant, readonly MarketValue[]>()
  let last: readonly MarketValue[] = []
  const simulations = simulate(
    pairs.map(({ honest: { pair }, read }) => ({ pair, sources: read })),
    timetable,
    ({ pair, now, market, before, after, decision }) => {
      const { honest, waiting, late } = pairOf.get(pair)!
      while ((waiting.at(-1)?.from ?? Infinity) <= now) states.set(waiting.pop()!, before)
      markets.set(now, market)
      last = market
      if (decision) late.note(isLate(honest, after, now), now)
    },
  )

  const market = (now: Instant) => markets.get(now) ?? last
  for (const [index, { honest, read, faults, moves, late }] of pairs.entries()) {
    into.clean.push({ mode, late: late.count, ...evaluate(simulations[index]!, timetable) })
    const worldOf = (trial: FaultTrial | MoveTrial): TrialWorld => {
      const state = states.get(trial) ?? NEVER_READ
      return { honest, read, state, timetable, market }
    }
    for (const trial of faults)
      into.faults.push({ mode, trial, outcome: runFault(trial, worldOf(trial)) })
    for (const trial of moves)
      into.moves.push({ mode, trial, delay: runMove(trial, worldOf(trial)) })
  }
}

/**
 * Whether the value in effect lags behind sources that agree, whatever the guard calls it: a guard
 * that waits without a hold is late all the same.
 */
function isLate(honest: Honest, { current }: GuardState, now: Instant): boolean {
  const reading = readingAt(honest.faulted.observations, now)
  return isAway(honest, current?.sell, now) && !!reading && isUndisputed(honest, reading, now)
}

export function runFault(trial: FaultTrial, world: TrialWorld): FaultOutcome {
  const { honest, read } = world
  const { from, until, distortions } = trial
  const sources = read.map((source) => {
    const distortion = distortions.get(source.name)
    return distortion ? distorted(source, from, until, distortion) : source
  })
  const honestly = ({ source }: { source: string }, now: Instant) =>
    readingAt(read.find(({ name }) => name === source)!.observations, now)!

  const outcome: FaultOutcome = { isPublished: false, keptMinutes: 0, shutOutMinutes: 0 }
  const [kept, heldCorrect, wrong] = [new Stretch(), new Stretch(), new Stretch()]
  let calm = 0
  for (const { now, asked, pause, decision, current } of cyclesOf(trial, world, sources)) {
    const { publish } = decision
    const held = decision.held?.candidate
    const isOver = now >= until
    const isWrong = isAway(honest, current?.sell, now)

    outcome.isPublished ||= !!publish && !isSame(honestly(publish, now), publish)
    if (!isOver) kept.note(!!current && isLeft(honest, { from, sell: current.sell }, now), asked)
    const isShown = held && !isOver && distortions.has(held.source)
    heldCorrect.note(!!held && !isShown && isHonest(honest, held, honestly(held, now), now), now)
    if (isOver) wrong.note(isWrong, now)

    calm = isOver && !held && !isWrong ? calm + pause / MINUTE_MS : 0
    if (calm >= CALM_MINUTES) break
  }
  outcome.keptMinutes = kept.longest
  outcome.shutOutMinutes = Math.max(heldCorrect.longest, outcome.isPublished ? wrong.longest : 0)
  return outcome
}

/** Whether a held reading is what its source honestly says, and no other source is far away. */
function isHonest(
  honest: Honest,
  held: Sides & { source: string },
  reading: Sides,
  now: Instant,
): boolean {
  const { observations } = honest.sources.find(({ name }) => name === held.source)!
  const isRight = isSame(reading, held) && isUndisputed(honest, reading, now)
  return isRight && !isSlip(honest.pair, observations, now)
}

export function runMove(trial: MoveTrial, world: TrialWorld): number {
  const { honest, read } = world
  const { from, step, shownAt, relativesAt } = trial
  const alone = read.length === 1
  const sources = read.map((source) => {
    const at = alone ? from : shownAt.get(source.name)!
    return distorted(source, at, Infinity, times(honest.pair, 1 + step))
  })
  const moved = ({ buy, sell }: Sides) => ({
    buy: Math.round(buy * (1 + step)),
    sell: Math.round(sell * (1 + step)),
  })
  const market = (now: Instant) => {
    const values = world.market(now)
    if (relativesAt === null || now < relativesAt) return values
    return values.map((one) => ({ ...one, ...moved(one), readings: one.readings!.map(moved) }))
  }

  const seen = seenByTwo(trial, world)
  const near = Math.abs(Math.log1p(step)) / 3
  const isNear = (sell: number, reading: Sides | undefined) =>
    reading !== undefined && Math.abs(Math.log(sell / reading.sell)) <= near
  for (const { now, current } of cyclesOf(trial, { ...world, market }, sources)) {
    if (!current || current.updatedAt < from) continue

    const isArrived = sources.some(
      ({ observations }, index) =>
        isNear(current.sell, readingAt(observations, now)) &&
        !isNear(current.sell, readingAt(read[index]!.observations, now)),
    )
    if (isArrived) return Math.max(0, (now - seen) / MINUTE_MS)
  }
  return Infinity
}

/**
 * When two sources of different provenance show the move, or the only one does. A source that is
 * asked seldom shows it when it is asked, a cycle earlier at most.
 */
function seenByTwo({ from, shownAt }: MoveTrial, { honest, read, timetable }: TrialWorld): Instant {
  const shown = read
    .map((source) => {
      const at = read.length === 1 ? from : shownAt.get(source.name)!
      let asked = nextCycle(at)
      while (!timetable.isAsked(honest.pair, source, asked) && asked < at + DAY_MS)
        asked += CYCLE_MS
      return { at: Math.max(at, asked - CYCLE_MS), provenance: source.provenance }
    })
    .toSorted((a, b) => a.at - b.at)
  const second = shown.find(({ provenance }) => provenance !== shown[0]!.provenance)
  return (second ?? shown[0]!).at
}

function distorted(source: ReplaySource, from: Instant, until: Instant, distortion: Distortion) {
  return { ...source, observations: distort(source.observations, from, until, distortion) }
}

function nextCycle(at: Instant): Instant {
  return Math.ceil(at / CYCLE_MS) * CYCLE_MS
}

/** The cycles of a trial in which the guard decides. `pause` is the time of the pair since the last. */
function* cyclesOf(
  { from }: { from: Instant },
  { honest: { pair }, timetable, state, market }: TrialWorld,
  sources: readonly ReplaySource[],
) {
  const run = new PairRun({ pair, sources }, timetable, state)
  let [last, asked] = [0, 0]
  for (let now = nextCycle(from); now <= from + MOST_MS; now += CYCLE_MS) {
    const decision = run.cycle(now, market(now))
    if (!decision) continue

    const natural: number = last === 0 ? 0 : now - last
    const pause = natural <= LONGEST_PAUSE_MS ? natural : 0
    last = now
    asked += pause
    yield { now, asked, pause, decision, current: run.state.current }
  }
}

/** The longest unbroken time that something was so, in minutes, and how often it passed a limit. */
class Stretch {
  longest = 0
  count = 0
  readonly #limit: number
  #since: Instant | null = null
  #isCounted = false

  constructor(limit = Infinity) {
    this.#limit = limit
  }

  note(isSo: boolean, now: Instant) {
    this.#since = isSo ? (this.#since ?? now) : null
    if (this.#since === null) this.#isCounted = false
    else {
      const minutes = (now - this.#since) / MINUTE_MS
      this.longest = Math.max(this.longest, minutes)
      if (minutes > this.#limit && !this.#isCounted) {
        this.count += 1
        this.#isCounted = true
      }
    }
  }
}
