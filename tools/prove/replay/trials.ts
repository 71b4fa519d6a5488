/**
 * Plans faults and moves in the recorded series of a pair and runs each. A seed gives the same
 * trials, independent of the guard, the mode and the other seeds.
 */
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { pairKey } from '../../../shared/market/catalog.ts'
import type { MarketValue } from '../../../workers/scraper/guard/facts.ts'
import { isSameLevel, type Level, widest } from '../../../workers/scraper/guard/level.ts'
import { type Kind, KINDS, needsTwo, Random, times } from './kinds.ts'
import { classify } from './oracle.ts'
import { type GuardState, PairRun } from './simulate.ts'
import {
  countUntil,
  CYCLE_MS,
  nextCycle,
  type Observation,
  type PairSources,
  readingAt,
  readOf,
  type ReplaySource,
  shownAt,
  spanOf,
} from './sources.ts'

const MOVES = [0.03, -0.03, 0.05, -0.05, 0.2, -0.2, 1.18]

/** The guard reads a pair for this long before the first trial. */
const WARM_MS = 7 * DAY_MS
/** A source without a change for longer than this is dead: no trial begins there. */
const LIVE_MS = 3 * DAY_MS
/** The least time between a trial and a recorded fault or move. */
const AROUND_MS = 6 * HOUR_MS
/** If two sources differ by more than this, one is wrong: no trial begins there. */
const APART = 0.05
/** All sources make the same move within this time. */
const STAGGER_MS = 20 * MINUTE_MS
/** A move begins at least this long before the day's hours end. */
const LEFT_MS = 4 * HOUR_MS
/** A move that is not published within this time counts as never published. */
const MOST_MS = 14 * DAY_MS
const TRIES = 60

/** Bounds of the usual step of a pair, as a logarithm. */
const [LEAST_USUAL, MOST_USUAL] = [0.003, 0.03]
/** The value in effect is right within this distance, or a usual step, of the honest readings. */
const RIGHT = 0.01
/** Honest readings further apart than this contradict each other: then no value counts as wrong. */
const DISPUTED = 0.03

/** How long a value may stay in effect after the other sources moved away from it. */
export const KEPT_MINUTES = 30

/** A pair with its honest series; the trials put faults into its first source. */
export interface Honest extends PairSources {
  faulted: ReplaySource
  /** Cycles in which the faulted source is requested, once the guard knows the pair. */
  instants: readonly Instant[]
  /** The upper quartile of the changes of the faulted source, as a logarithm. */
  usual: number
  /** Recorded faults, and moves of 5 % or more: no trial is near them. */
  unquiet: readonly { at: Instant }[]
  changes: readonly Observation[]
}

export function honestOf({ pair, sources }: PairSources): Honest {
  const read = sources.map(readOf)
  const unquiet = read
    .map((observations) => classify(pair, observations))
    .flatMap(({ labelled, moves }) => [...labelled.filter((one) => one.faultAfter), ...moves])
    .toSorted((a, b) => a.at - b.at)
  const first = read[0]!
  const changes = first.filter((one, index) => index > 0 && widest(first[index - 1]!, one) > 0)
  const steps = first
    .slice(1)
    .map((one, index) => Math.abs(Math.log(one.sell / first[index]!.sell)))
    .filter((step) => step > 0 && step < 1)
    .toSorted((a, b) => a - b)
  const usual = steps[Math.floor(steps.length * 0.75)] ?? LEAST_USUAL

  const faulted = sources[0]!
  const spans = sources.map((source) => spanOf([source]))
  const from = Math.max(...spans.map(({ start }) => start)) + WARM_MS
  const last = Math.min(...spans.map(({ end }) => end)) - DAY_MS
  const instants = [...faulted.asked].filter((now) => now >= from && now <= last)
  const bounded = Math.min(Math.max(usual, LEAST_USUAL), MOST_USUAL)
  return { pair, sources, faulted, instants, usual: bounded, unquiet, changes }
}

/** Plans faults of every kind and half as many moves of every size, where they fit. */
export function planTrials(
  honest: Honest,
  others: (now: Instant) => readonly Level[],
  { seeds, trials }: { seeds: readonly number[]; trials: number },
) {
  const place = <Trial>(name: string, count: number, at: (random: Random) => Trial | null) =>
    seeds.flatMap((seed) =>
      Array.from({ length: count }, (_, index) => {
        const random = new Random(seed, `${pairKey(honest.pair)} ${name} ${index}`)
        for (let tries = 0; tries < TRIES && honest.instants.length > 0; tries += 1) {
          const trial = at(random)
          if (trial) return [trial]
        }
        return []
      }).flat(),
    )
  return {
    faults: KINDS.flatMap((kind) =>
      place(kind.name, trials, (random) => placeFault(honest, kind, others, random)),
    ),
    moves: MOVES.flatMap((step) =>
      place(String(step), Math.ceil(trials / 2), (random) => placeMove(honest, step, random)),
    ),
  }
}

function placeFault(
  honest: Honest,
  kind: Kind,
  others: (now: Instant) => readonly Level[],
  random: Random,
) {
  const { pair, faulted, sources } = honest
  if (needsTwo(kind) && sources.length < 2) return null

  const from = instantOf(honest, random)
  const reading = readingAt(faulted.observations, from)
  if (!reading) return null
  const distortions = kind.make({ pair, honest: reading, others: others(from), random })
  if (distortions.length === 0) return null

  const until = from + Math.round(kind.minutes(random)) * MINUTE_MS
  if (!isQuiet(honest, from, until)) return null
  if (kind.group === 'stale' && !isWorthTrying(honest, reading, from, until)) return null
  return { kind, from, until, distortions }
}

type FaultTrial = NonNullable<ReturnType<typeof placeFault>>
type MoveTrial = NonNullable<ReturnType<typeof placeMove>>

function placeMove(honest: Honest, step: number, random: Random) {
  const from = instantOf(honest, random)
  const isLate = !honest.faulted.asked.has(nextCycle(from + LEFT_MS))
  if (isLate || !isQuiet(honest, from, from + LEFT_MS)) return null

  const leader = random.pick(honest.sources)
  const later = () => from + Math.round(random.unit() * STAGGER_MS)
  return {
    step,
    from,
    /** When each source shows the move. */
    shownAt: honest.sources.map((source) => (source === leader ? from : later())),
    /** When the pair's relatives have the move in effect; null when the pair moves alone. */
    relativesAt: random.coin() ? later() : null,
  }
}

/** A random instant in the five minutes before a cycle that requests the source. */
function instantOf({ instants }: Honest, random: Random): Instant {
  return random.pick(instants) - Math.floor(random.unit() * CYCLE_MS)
}

/** Whether the recording has no fault or move around a trial, and the pair is alive. */
function isQuiet({ unquiet, changes, sources }: Honest, from: Instant, until: Instant): boolean {
  const happened = countUntil(unquiet, until + AROUND_MS) - countUntil(unquiet, from - AROUND_MS)
  if (happened > 0 || countUntil(changes, from) === countUntil(changes, from - LIVE_MS))
    return false

  const readings = sources.map(({ observations }) => readingAt(observations, from))
  return readings.every((one) => one && Math.abs(Math.log(one.sell / readings[0]!.sell)) <= APART)
}

/** Whether a value that stops changing at `from` stays wrong for long enough to count. */
function isWorthTrying(honest: Honest, { sell }: Level, from: Instant, until: Instant): boolean {
  let left = 0
  return honest.instants
    .filter((now) => now >= from && now < until)
    .some((now) => {
      left = isLeft(honest, { from, sell }, now) ? left + CYCLE_MS : 0
      return left > KEPT_MINUTES * MINUTE_MS
    })
}

/**
 * Whether the market moved away from a value that stopped at `from`: another source moved by a
 * usual step since, and all honest readings are a usual step away. A value between them may be
 * another definition's.
 */
function isLeft(honest: Honest, { from, sell }: { from: Instant; sell: number }, now: Instant) {
  if (outside(honest, sell, now) <= honest.usual) return false

  return honest.sources.some((source) => {
    const then = readingAt(source.observations, from)
    const reading = readingAt(source.observations, now)
    if (source === honest.faulted || !then || !reading) return false
    return Math.abs(Math.log(reading.sell / then.sell)) >= honest.usual
  })
}

/** The distance of a sell from the range of honest readings, as a logarithm; 0 inside the range. */
function outside({ sources }: PairSources, sell: number, now: Instant): number {
  const sells = sources.flatMap(({ observations }) => readingAt(observations, now)?.sell ?? [])
  if (sells.length === 0) return 0
  return Math.max(0, Math.log(sell / Math.max(...sells)), Math.log(Math.min(...sells) / sell))
}

/** Whether a sell in effect is wrong, although honest readings agree with the first source. */
export function isAway(honest: Honest, sell: number | undefined, now: Instant): boolean {
  if (sell === undefined || outside(honest, sell, now) <= Math.max(RIGHT, honest.usual))
    return false
  const first = readingAt(honest.faulted.observations, now)
  return honest.sources.every(({ observations }) => {
    const other = readingAt(observations, now)
    return !!first && (!other || Math.abs(Math.log(other.sell / first.sell)) <= DISPUTED)
  })
}

export interface TrialWorld {
  honest: Honest
  /** The sources that the guard reads. */
  read: readonly ReplaySource[]
  /** The state of the undisturbed replay when the trial begins. */
  state: GuardState
  /** All pairs' values in effect in the undisturbed replay. */
  market: (now: Instant) => readonly MarketValue[]
}

/**
 * Whether a value of the faulted source was published, and the longest time for which a value
 * stayed in effect after others moved a usual step away.
 */
export function runFault(trial: FaultTrial, world: TrialWorld) {
  const { honest, read } = world
  const { from, until, distortions } = trial
  const sources = read.map((source, index) => {
    const distortion = distortions[index]
    return distortion ? { ...source, fault: { from, until, distortion } } : source
  })
  const honestly = (name: string, now: Instant) =>
    readingAt(read.find((source) => source.name === name)!.observations, now)!

  let isPublished = false
  const kept = new Stretches()
  for (const { now, open, publish, current } of cyclesOf(from, until, sources, world)) {
    isPublished ||= !!publish && !isSameLevel(honestly(publish.source, now), publish)
    kept.note(!!current && isLeft(honest, { from, sell: current.sell }, now), open)
  }
  return { isPublished, keptMinutes: Math.max(0, ...kept.minutes) }
}

/** Minutes from when two sources (or the only one) show a move until it is published. */
export function runMove(trial: MoveTrial, world: TrialWorld): number {
  const { honest, read } = world
  const { from, step, relativesAt } = trial
  // A single source shows the move at once.
  const shown = read.length === 1 ? [from] : trial.shownAt
  const distortion = times(honest.pair, 1 + step)
  const faultAt = (index: number) => ({ from: shown[index]!, until: Infinity, distortion })
  const sources = read.map((source, index) => ({ ...source, fault: faultAt(index) }))
  const moved = ({ buy, sell }: Level) => ({
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
  const isNear = (sell: number, reading: Level | undefined) =>
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

/** The cycles in which the guard decides. `open` is the pair's open time so far, without nights. */
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

    if (now - last <= HOUR_MS) open += now - last
    last = now
    yield { now, open, publish: decision.publish, current: run.state.current }
  }
}

/** Unbroken periods in which a condition held, in minutes. */
export class Stretches {
  readonly minutes: number[] = []
  #since: Instant | null = null

  note(isSo: boolean, now: Instant) {
    if (isSo && this.#since === null) this.minutes.push(0)
    this.#since = isSo ? (this.#since ?? now) : null
    if (this.#since !== null) this.minutes.splice(-1, 1, (now - this.#since) / MINUTE_MS)
  }
}
