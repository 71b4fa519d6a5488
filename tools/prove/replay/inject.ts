/** Puts seeded faults and moves into recorded series, and measures how the guard publishes them. */
import { type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { MarketValue } from '../../../workers/scraper/guard/facts.ts'
import { isSameLevel } from '../../../workers/scraper/guard/level.ts'
import { needsTwo } from './kinds.ts'
import { evaluate } from './oracle.ts'
import { type GuardState, PairRun, simulate } from './simulate.ts'
import { CYCLE_MS, nextCycle, type PairSources, readingAt, spanOf } from './sources.ts'
import { isLeft, longest, planTrials, type Site, siteOf, type Trial } from './trials.ts'

export interface Outcome {
  trial: Trial
  /**
   * The time from when two sources (or the only source) show the fault or move until the guard
   * publishes it; infinite if it never does. For a stale value, how long the value stays in effect.
   */
  minutes: number
}

export type Injected = ReturnType<typeof inject>

export function inject(market: readonly PairSources[], seeds: readonly number[]) {
  const planned = market.map((one) => {
    const site = siteOf(one)
    return { site, trials: planTrials(site, seeds) }
  })
  const two = replayTrials(planned.filter(({ site }) => site.sources.length > 1))
  const alone = replayTrials(planned.map(firstAlone))
  return {
    /** The outcomes with all sources, and with only the source that has the fault. */
    two: two.flatMap(({ outcomes }) => outcomes),
    alone: alone.flatMap(({ outcomes }) => outcomes),
    /** The outcome of the replay without trials, for each pair with two sources. */
    clean: two.map(({ run }) => evaluate(run)),
  }
}

interface Planned {
  site: Site
  trials: readonly Trial[]
}

/** The site with only its first source, and the trials that need no second source. */
function firstAlone({ site, trials }: Planned): Planned {
  return {
    site: { ...site, sources: site.sources.slice(0, 1) },
    trials: trials.filter(({ group }) => !needsTwo(group)),
  }
}

/** Replays all pairs without trials, then each trial from the state of that replay at its start. */
function replayTrials(planned: readonly Planned[]) {
  const begins = new Set(planned.flatMap(({ trials }) => trials.map(({ from }) => nextCycle(from))))
  const states = new Map<Instant, GuardState[]>()
  const markets: (readonly MarketValue[])[] = []
  const pairs = planned.map(({ site }) => site)
  const { start } = spanOf(pairs.flatMap(({ sources }) => sources))
  const runs = simulate(pairs, (now, market, runs) => {
    const all = runs.map(({ state }) => state)
    if (begins.has(now)) states.set(now, all)
    markets.push(market)
  })
  // No source changes after the end of the recordings.
  const market = (now: Instant) => markets[(now - start) / CYCLE_MS] ?? markets.at(-1)!
  return planned.map(({ site, trials }, index) => ({
    run: runs[index]!,
    outcomes: trials.map((trial): Outcome => {
      const state = states.get(nextCycle(trial.from))![index]!
      return { trial, minutes: runTrial(trial, { site, state, market }) }
    }),
  }))
}

export interface TrialWorld {
  site: Site
  /** The state of the replay without trials when the trial begins. */
  state: GuardState
  /** The values in effect of all pairs in that replay. */
  market: (now: Instant) => readonly MarketValue[]
}

/** `Outcome.minutes` of a trial. */
export function runTrial(trial: Trial, world: TrialWorld): number {
  const { from, group, faults } = trial
  const { site } = world
  const isStale: boolean[] = []
  const [first, seen = first!] = site.sources
    .flatMap((_, index) => faults[index]?.from ?? [])
    .toSorted((a, b) => a - b)
  for (const { now, publish, current } of cyclesOf(trial, world)) {
    if (group === 'stale') isStale.push(isLeft(site, from, current!.sell, now))
    else if (publish && !isSameLevel(honestly(publish.source, now), publish))
      return Math.max(0, (now - seen) / MINUTE_MS)
  }
  return group === 'stale' ? longest(isStale) : Infinity

  function honestly(name: string, now: Instant) {
    return readingAt(site.sources.find((one) => one.name === name)!.observations, now)!
  }
}

/** The cycles in which the guard decides. */
function* cyclesOf(trial: Trial, { site, state, market }: TrialWorld) {
  const { from, until, faults, relativesAt } = trial
  const sources = site.sources.map((source, index) => ({ ...source, fault: faults[index] }))
  const run = new PairRun({ pair: site.pair, sources }, state)
  const move = faults[0]!.distortion
  for (let now = nextCycle(from); now < until; now += CYCLE_MS) {
    const values = market(now).map((one) =>
      relativesAt === null || now < relativesAt ? one : { ...one, ...move(one) },
    )
    const decision = run.cycle(now, values)
    if (decision) yield { now, publish: decision.publish, current: run.state.current }
  }
}
