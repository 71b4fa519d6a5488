/** Puts seeded faults and moves into recorded series and tells what became of each. */
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { MarketValue } from '../../../workers/scraper/guard/guard.ts'
import { needsTwo, times } from './kinds.ts'
import { evaluate } from './oracle.ts'
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
import { type GuardState, NEVER_READ, PairRun, simulate } from './simulate.ts'
import {
  CYCLE_MS,
  isSame,
  nextCycle,
  type PairSources,
  readingAt,
  type ReplaySource,
  type Sides,
  shownAt,
} from './sources.ts'

/** Nobody would wait any longer for a move. */
const MOST_MS = 14 * DAY_MS
/** A longer pause between two cycles is a night or a holiday: no time of the pair. */
const LONGEST_PAUSE_MS = HOUR_MS
const LATE_MINUTES = 10

/** All sources of a pair are read, or the faulted one alone. */
export type Mode = 'two' | 'alone'

interface FaultOutcome {
  /** Whether what a faulted source showed was published. */
  isPublished: boolean
  /** Longest time that a value which others had left by a usual step was in effect. */
  keptMinutes: number
}

export interface Injected {
  faults: { mode: Mode; trial: FaultTrial; outcome: FaultOutcome }[]
  /** Minutes since every source showed it (two of them, or the only one); infinite when never. */
  moves: { mode: Mode; trial: MoveTrial; delay: number }[]
  /** What the undisturbed replay of each pair with two sources did. */
  clean: (ReturnType<typeof evaluate> & { late: number })[]
}

export interface TrialWorld {
  honest: Honest
  /** The sources that the guard hears. */
  read: readonly ReplaySource[]
  /** As the undisturbed replay had it when the trial begins. */
  state: GuardState
  /** What all pairs have in effect in the undisturbed replay. */
  market: (now: Instant) => readonly MarketValue[]
}

export function inject(
  market: readonly PairSources[],
  options: { seeds: readonly number[]; trials: number },
): Injected {
  const planned = market.map((one) => {
    const honest = honestOf(one)
    const others = (now: Instant) =>
      market.flatMap((other) =>
        other === one ? [] : (readingAt(other.sources[0]!.observations, now) ?? []),
      )
    return { honest, ...planTrials(honest, others, options) }
  })
  const two = runMode('two', planned)
  const alone = runMode('alone', planned)
  return {
    faults: [...two.faults, ...alone.faults],
    moves: [...two.moves, ...alone.moves],
    clean: two.clean,
  }
}

interface Planned {
  honest: Honest
  faults: FaultTrial[]
  moves: MoveTrial[]
}

function runMode(mode: Mode, planned: readonly Planned[]): Injected {
  const isTried = ({ kind }: FaultTrial) => mode === 'two' || !needsTwo(kind)
  const pairs = planned
    .filter(({ honest }) => mode === 'alone' || honest.sources.length > 1)
    .map(({ honest, faults, moves }) => ({
      honest,
      read: mode === 'alone' ? [honest.faulted] : honest.sources,
      faults: faults.filter(isTried),
      moves,
      begins: new Set([...faults, ...moves].map(({ from }) => nextCycle(from))),
      states: new Map<Instant, GuardState>(),
      late: new Stretches(),
    }))
  const pairOf = new Map(pairs.map((one) => [one.honest.pair, one]))
  const markets = new Map<Instant, readonly MarketValue[]>()
  let last: readonly MarketValue[] = []
  const simulations = simulate(
    pairs.map(({ honest: { pair }, read }) => ({ pair, sources: read })),
    ({ pair, now, market, before, after, decision }) => {
      const { honest, begins, states, late } = pairOf.get(pair)!
      if (begins.has(now)) states.set(now, before)
      markets.set(now, market)
      last = market
      if (!decision) return
      // A guard that waits without a hold is late all the same.
      late.note(isAway(honest, after.current?.sell, now) && isUndisputed(honest, now), now)
    },
  )

  const ran = pairs.map(({ honest, read, faults, moves, states, late }, index) => {
    const worldOf = ({ from }: { from: Instant }): TrialWorld => ({
      honest,
      read,
      state: states.get(nextCycle(from)) ?? NEVER_READ,
      market: (now) => markets.get(now) ?? last,
    })
    const lateOnes = late.minutes.filter((minutes) => minutes > LATE_MINUTES)
    return {
      faults: faults.map((trial) => ({ mode, trial, outcome: runFault(trial, worldOf(trial)) })),
      moves: moves.map((trial) => ({ mode, trial, delay: runMove(trial, worldOf(trial)) })),
      clean: { late: lateOnes.length, ...evaluate(simulations[index]!) },
    }
  })
  return {
    faults: ran.flatMap(({ faults }) => faults),
    moves: ran.flatMap(({ moves }) => moves),
    clean: ran.map(({ clean }) => clean),
  }
}

export function runFault(trial: FaultTrial, world: TrialWorld): FaultOutcome {
  const { honest, read } = world
  const { from, until, distortions } = trial
  const sources = read.map((source, index) => {
    const distortion = distortions[index]
    return distortion ? { ...source, fault: { from, until, distortion } } : source
  })
  const honestly = ({ source }: { source: string }, now: Instant) =>
    readingAt(read.find(({ name }) => name === source)!.observations, now)!

  let isPublished = false
  const kept = new Stretches()
  for (const { now, open, publish, current } of cyclesOf(from, until, sources, world)) {
    isPublished ||= !!publish && !isSame(honestly(publish, now), publish)
    kept.note(!!current && isLeft(honest, { from, sell: current.sell }, now), open)
  }
  return { isPublished, keptMinutes: Math.max(0, ...kept.minutes) }
}

export function runMove(trial: MoveTrial, world: TrialWorld): number {
  const { honest, read } = world
  const { from, step, relativesAt } = trial
  // The only one shows it at once.
  const shown = read.length === 1 ? [from] : trial.shownAt
  const sources = read.map((source, index) => {
    const distortion = times(honest.pair, 1 + step)
    return { ...source, fault: { from: shown[index]!, until: Infinity, distortion } }
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

  const [first, seen = first!] = shown.toSorted((a, b) => a - b)
  const near = Math.abs(Math.log1p(step)) / 3
  const isNear = (sell: number, reading: Sides | undefined) =>
    reading !== undefined && Math.abs(Math.log(sell / reading.sell)) <= near
  const cycles = cyclesOf(from, from + MOST_MS, sources, { ...world, market })
  for (const { now, current } of cycles) {
    if (!current || current.updatedAt < from) continue

    const isArrived = sources.some(
      (source, index) =>
        isNear(current.sell, shownAt(source, now)) &&
        !isNear(current.sell, shownAt(read[index]!, now)),
    )
    if (isArrived) return Math.max(0, (now - seen) / MINUTE_MS)
  }
  return Infinity
}

/** The cycles in which the guard decides; `open` is the time of the pair until then. */
function* cyclesOf(
  from: Instant,
  until: Instant,
  sources: readonly ReplaySource[],
  { honest: { pair }, state, market }: TrialWorld,
) {
  const run = new PairRun({ pair, sources }, state)
  let [last, open] = [0, 0]
  for (let now = nextCycle(from); now < until; now += CYCLE_MS) {
    const decision = run.cycle(now, market(now))
    if (!decision) continue

    if (now - last <= LONGEST_PAUSE_MS) open += now - last
    last = now
    yield { now, open, publish: decision.publish, current: run.state.current }
  }
}

/** The unbroken times that something was so, each in minutes. */
class Stretches {
  readonly minutes: number[] = []
  #since: Instant | null = null

  note(isSo: boolean, now: Instant) {
    if (isSo && this.#since === null) this.minutes.push(0)
    this.#since = isSo ? (this.#since ?? now) : null
    if (this.#since !== null) this.minutes.splice(-1, 1, (now - this.#since) / MINUTE_MS)
  }
}
