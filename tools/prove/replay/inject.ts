/** Puts seeded faults and moves into recorded series and counts their outcomes. */
import type { Instant } from '../../../shared/argentine-time.ts'
import type { MarketValue } from '../../../workers/scraper/guard/facts.ts'
import { needsTwo } from './kinds.ts'
import { evaluate } from './oracle.ts'
import { type GuardState, NEVER_READ, simulate } from './simulate.ts'
import { nextCycle, type PairSources, readingAt } from './sources.ts'
import {
  type FaultOutcome,
  type FaultTrial,
  honestOf,
  isAway,
  type MoveTrial,
  planTrials,
  runFault,
  runMove,
  Stretches,
  type TrialWorld,
} from './trials.ts'

const LATE_MINUTES = 10

/** `two`: all sources of a pair are read. `alone`: only the source with the fault. */
export type Mode = 'two' | 'alone'

export interface Injected {
  faults: { mode: Mode; trial: FaultTrial; outcome: FaultOutcome }[]
  /** Minutes since all sources that are read showed the move; infinite when never published. */
  moves: { mode: Mode; trial: MoveTrial; delay: number }[]
  /** The outcome of the replay without trials, for each pair with two sources. */
  clean: (ReturnType<typeof evaluate> & { late: number })[]
}

type Planned = ReturnType<typeof planTrials> & { honest: TrialWorld['honest'] }

export function inject(
  market: readonly PairSources[],
  options: { seeds: readonly number[]; trials: number },
): Injected {
  const planned = market.map((one): Planned => {
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

/** Replays all pairs without trials, then each trial from the state that this replay had then. */
function runMode(mode: Mode, planned: readonly Planned[]): Injected {
  const pairs = planned
    .filter(({ honest }) => mode === 'alone' || honest.sources.length > 1)
    .map(({ honest, faults, moves }) => ({
      honest,
      read: mode === 'alone' ? [honest.faulted] : honest.sources,
      faults: faults.filter(({ kind }) => mode === 'two' || !needsTwo(kind)),
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
      // A value that lags behind counts as late even when the guard holds nothing.
      if (decision) late.note(isAway(honest, after.current?.sell, now), now)
    },
  )

  const ran = pairs.map(({ honest, read, faults, moves, states, late }, index) => {
    const worldOf = ({ from }: { from: Instant }): TrialWorld => ({
      honest,
      read,
      state: states.get(nextCycle(from)) ?? NEVER_READ,
      market: (now) => markets.get(now) ?? last,
    })
    return {
      faults: faults.map((trial) => ({ mode, trial, outcome: runFault(trial, worldOf(trial)) })),
      moves: moves.map((trial) => ({ mode, trial, delay: runMove(trial, worldOf(trial)) })),
      clean: {
        late: late.minutes.filter((minutes) => minutes > LATE_MINUTES).length,
        ...evaluate(simulations[index]!),
      },
    }
  })
  return {
    faults: ran.flatMap(({ faults }) => faults),
    moves: ran.flatMap(({ moves }) => moves),
    clean: ran.map(({ clean }) => clean),
  }
}
