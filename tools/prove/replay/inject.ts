/** Puts seeded faults and moves into recorded series and tells what became of each. */
import type { Instant } from '../../../shared/argentine-time.ts'
import { type PairKey, pairKey } from '../../../shared/market/catalog.ts'
import { evaluate, type PairReport } from './evaluate.ts'
import {
  type GuardState,
  NEVER_READ,
  type OtherPair,
  otherPair,
  countUntil,
  type PairSources,
  type ReplaySource,
  simulateMarket,
  spanOf,
} from './simulate.ts'
import { type Timetables, timetables } from './timetable.ts'
import { readBy } from './sources.ts'
import { type Honest, honestOf, readingAt } from './market.ts'
import { type FaultTrial, type MoveTrial, planTrials, type Trial } from './plan.ts'
import {
  Lateness,
  type FaultOutcome,
  type MoveOutcome,
  runFault,
  runMove,
  type TrialWorld,
} from './run.ts'

export type Mode = 'two' | 'alone'

export interface InjectOptions {
  seeds: readonly number[]
  trials: number
  /** The source that gets the faults. */
  fault: 'first' | 'second'
}

export type TrialResult =
  | { mode: Mode; trial: FaultTrial; outcome: FaultOutcome }
  | { mode: Mode; trial: MoveTrial; outcome: MoveOutcome }

/** What the undisturbed replay of a pair did. */
export interface CleanResult {
  mode: Mode
  pair: PairKey
  changes: number
  /** Correct values held for over ten minutes by the guard's own reading. */
  correctHeld: number
  longestCorrectHold: number
  /** Times that for over ten minutes the value in effect lay away from readings that all agreed. */
  late: number
  /** Natural faults that were published against another source's reading, and natural moves. */
  contradicted: number
  moves: PairReport['moves']
}

export interface Injected {
  results: TrialResult[]
  clean: CleanResult[]
}

interface Planned {
  honest: Honest
  faulted: ReplaySource
  trials: Trial[]
}

export function inject(market: readonly PairSources[], options: InjectOptions): Injected {
  const { start, end } = spanOf(market.flatMap(({ sources }) => sources))
  const timetable = timetables(start, end)
  const planned = plan(market, options, timetable)
  const injected: Injected = { results: [], clean: [] }
  for (const mode of ['two', 'alone'] as const) {
    const { results, clean } = runMode(mode, planned, { timetable })
    injected.results.push(...results)
    injected.clean.push(...clean)
  }
  return injected
}

function plan(
  market: readonly PairSources[],
  { seeds, trials, fault }: InjectOptions,
  timetable: Timetables,
): Planned[] {
  return market.flatMap((one) => {
    const faulted = faultedOf(one, fault)
    if (!faulted) return []

    const honest = honestOf(one, faulted, timetable)
    const others = (now: Instant) =>
      market
        .filter(({ pair }) => pair !== one.pair)
        .flatMap((other) => readingAt(faultedOf(other, fault)?.observations ?? [], now) ?? [])
    return [
      {
        honest,
        faulted,
        trials: seeds.flatMap((seed) => planTrials(honest, faulted, others, { seed, trials })),
      },
    ]
  })
}

function faultedOf({ sources }: PairSources, fault: InjectOptions['fault']) {
  return sources[fault === 'first' ? 0 : 1]
}

function runMode(
  mode: Mode,
  planned: readonly Planned[],
  options: { timetable: Timetables },
): Injected {
  const pairs = planned
    .map((one) => ({
      ...one,
      read: mode === 'alone' ? [one.faulted] : one.honest.sources,
      trials: mode === 'alone' ? one.trials.filter(isForOne) : one.trials,
    }))
    .filter(({ read }) => mode === 'alone' || read.length > 1)
  const history = new History(
    pairs.map(({ honest, read, trials }) => ({ key: honest.key, sources: read, trials })),
  )
  const lateness = new Map(pairs.map(({ honest }) => [honest.pair, new Lateness(honest)]))
  const simulations = simulateMarket(
    pairs.map(({ honest, read }) => ({ pair: honest.pair, sources: read })),
    options,
    (pair, now, before, after) => {
      history.note(pairKey(pair), now, before, after)
      lateness.get(pair)!.note(now, after)
    },
  )

  const clean = pairs.map(({ honest, read }, index): CleanResult => {
    const series = read.map((source) => readBy(honest.pair, source, options.timetable))
    const report = evaluate(honest.pair, series, simulations[index]!)
    const { changes, correctHeld, longestCorrectHold, contradicted, moves } = report
    const late = lateness.get(honest.pair)!.count
    return {
      mode,
      pair: honest.key,
      changes,
      correctHeld,
      longestCorrectHold,
      late,
      contradicted: contradicted.length,
      moves,
    }
  })
  const results = pairs.flatMap(({ honest, read, trials }) =>
    trials.map((trial): TrialResult => {
      const state = history.before(trial)
      const others = (key: PairKey, now: Instant) => history.currentOf(key, now)
      const world: TrialWorld = { honest, read, state, options, others }
      return trial.what === 'fault'
        ? { mode, trial, outcome: runFault(trial, world) }
        : { mode, trial, outcome: runMove(trial, world) }
    }),
  )
  return { results, clean }
}

function isForOne(trial: Trial): boolean {
  return trial.what === 'move' || !trial.needsTwo
}

/** What the undisturbed replay had in effect, and the guard's state where a trial begins. */
class History {
  readonly #states = new Map<Trial, GuardState>()
  readonly #waiting = new Map<string, Trial[]>()
  readonly #currents = new Map<string, { at: Instant; state: GuardState }[]>()
  readonly #sources = new Map<string, readonly ReplaySource[]>()

  constructor(
    pairs: readonly { key: PairKey; sources: readonly ReplaySource[]; trials: readonly Trial[] }[],
  ) {
    for (const { key, sources, trials } of pairs) {
      this.#sources.set(key, sources)
      this.#waiting.set(
        key,
        trials.toSorted((a, b) => b.from - a.from),
      )
      this.#currents.set(key, [])
    }
  }

  note(key: string, now: Instant, before: GuardState, after: GuardState) {
    const waiting = this.#waiting.get(key)!
    while ((waiting.at(-1)?.from ?? Infinity) <= now) this.#states.set(waiting.pop()!, before)
    if (before.current !== after.current || before.readings !== after.readings) {
      this.#currents.get(key)!.push({ at: now, state: after })
    }
  }

  before(trial: Trial): GuardState {
    return this.#states.get(trial) ?? NEVER_READ
  }

  currentOf(key: PairKey, now: Instant): OtherPair | null {
    const currents = this.#currents.get(key) ?? []
    // What a cycle publishes is seen by the next one.
    const known = currents[countUntil(currents, now - 1) - 1]
    const said = (this.#sources.get(key) ?? []).flatMap(
      ({ observations }) => readingAt(observations, now) ?? [],
    )
    return known ? otherPair(known.state, said) : null
  }
}
