/** Puts seeded faults and moves into recorded series and counts their outcomes. */
import type { Instant } from '../../../shared/argentine-time.ts'
import type { MarketValue } from '../../../workers/scraper/guard/facts.ts'
import { needsTwo } from './kinds.ts'
import { evaluate } from './oracle.ts'
import { type GuardState, NEVER_READ, simulate } from './simulate.ts'
import { nextCycle, type PairSources, readingAt } from './sources.ts'
import {
  honestOf,
  isAway,
  planTrials,
  runFault,
  runMove,
  Stretches,
  type TrialWorld,
} from './trials.ts'

const LATE_MINUTES = 10

/** `two`: all sources of a pair are read. `alone`: only the source with the fault. */
export type Mode = 'two' | 'alone'

export type Injected = ReturnType<typeof inject>

export function inject(
  market: readonly PairSources[],
  options: { seeds: readonly number[]; trials: number },
) {
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
    faults: [...two, ...alone].flatMap(({ faults }) => faults),
    /** Minutes since all sources that are read showed the move; infinite when never published. */
    moves: [...two, ...alone].flatMap(({ moves }) => moves),
    /** The outcome of the replay without trials, for each pair with two sources. */
    clean: two.map(({ clean }) => clean),
  }
}

type Planned = ReturnType<typeof planTrials> & Pick<TrialWorld, 'honest'>

/** Replays all pairs without trials, then each trial from the state that this replay had then. */
function runMode(mode: Mode, planned: readonly Planned[]) {
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
  const runs = simulate(
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

  return pairs.map(({ honest, read, faults, moves, states, late }, index) => {
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
        ...evaluate(runs[index]!),
      },
    }
  })
}
