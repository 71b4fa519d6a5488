/** Runs one trial from the state that the undisturbed replay had when it begins. */
import { DAY_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { PairKey } from '../../../shared/market/catalog.ts'
import type { Decision } from '../../../workers/scraper/guard/guard.ts'
import type { Candidate } from '../../../workers/scraper/pairs/pair-source.ts'
import {
  type GuardState,
  type OtherPair,
  PairRun,
  type ReplaySource,
  type SimulateOptions,
} from './simulate.ts'
import type { Observation } from './series.ts'
import { isSlip } from './evaluate.ts'
import { askedOf, askedPause, CYCLE_MS, type Timetable } from './timetable.ts'
import { distort, type Sides } from './kinds.ts'
import { type Honest, readingAt, isLeft, isUndisputed, outside, rightWithin } from './market.ts'
import { type FaultTrial, moveOf, type MoveTrial } from './plan.ts'

/** A trial is over once the pair was calm for this many minutes of its hours… */
const CALM_MINUTES = 60
/** …or when nobody would wait any longer. */
const MOST_MS = 14 * DAY_MS

export interface FaultOutcome {
  /** The first publication of what a faulted source showed. */
  published: { at: Instant; shown: Sides; honest: Sides } | null
  /** Longest time that a value which others had left by a usual step was in effect. */
  keptMinutes: number
  /** Longest time that an honest reading was held, or that the value in effect stayed wrong after the fault. */
  shutOutMinutes: number
}

export interface MoveOutcome {
  /** Minutes since every source showed it (two of them, or the only one); null when never. */
  delay: number | null
}

export interface TrialWorld {
  honest: Honest
  /** The sources that the guard hears: all of the pair's, or the faulted one alone. */
  read: readonly ReplaySource[]
  state: GuardState
  options: Pick<SimulateOptions, 'timetable'>
  /** What the other pairs have in effect in the undisturbed replay. */
  others: (pair: PairKey, now: Instant) => OtherPair | null
}

export function runFault(trial: FaultTrial, world: TrialWorld): FaultOutcome {
  const { honest, read } = world
  const { from, until } = trial
  const end = from + MOST_MS
  const shown = new Map<string, Observation[]>()
  const sources = read.map((source) => {
    const distortion = trial.distortions.get(source.name)
    if (!distortion) return source
    const observations = distort(source.observations, { from, until, end }, distortion)
    const span = observations.filter(({ at }) => at >= from && at < until)
    shown.set(source.name, span)
    return { ...source, observations }
  })
  const readingOf = (name: string, now: Instant) =>
    readingAt(read.find((source) => source.name === name)?.observations ?? [], now)

  const [faulted = ''] = shown.keys()
  const run = new PairRun(
    honest.pair,
    sources,
    { ...world.options, others: world.others },
    world.state,
  )
  const outcome: FaultOutcome = { published: null, keptMinutes: 0, shutOutMinutes: 0 }
  const kept = new Stretch()
  const heldCorrect = new Stretch()
  const wrong = new Stretch()
  let calm = 0
  for (const { now, decision, pause, natural } of cyclesOf(run, from, end)) {
    const { publish, held } = decision
    const sell = run.state.current?.sell
    const off = sell === undefined ? 0 : outside(honest, sell, now)
    const isOver = now >= until

    const published = publish && shown.get(publish.source)
    if (!outcome.published && publish && published?.some((one) => isSame(one, publish))) {
      const reading = readingOf(publish.source, now)
      if (reading && !isSame(reading, publish)) {
        outcome.published = { at: now, shown: publish, honest: reading }
      }
    }
    if (!isOver)
      kept.note(sell !== undefined && isLeft(honest, { faulted, from, sell }, now), pause)
    const reading = held && readingOf(held.candidate.source, now)
    const isHonest = held && reading && isHonestReading(honest, held.candidate, reading, now)
    const isShown = held && !isOver && shown.has(held.candidate.source)
    heldCorrect.note(Boolean(isHonest && !isShown), natural)
    if (isOver) wrong.note(off > rightWithin(honest), natural)

    calm = isOver && !held && off <= rightWithin(honest) ? calm + pause / MINUTE_MS : 0
    if (calm >= CALM_MINUTES) break
  }
  outcome.keptMinutes = kept.longest
  outcome.shutOutMinutes = Math.max(heldCorrect.longest, outcome.published ? wrong.longest : 0)
  return outcome
}

/** Whether a held reading is what its source honestly says, and no other source is far away. */
function isHonestReading(honest: Honest, held: Candidate, reading: Sides, now: Instant): boolean {
  const source = honest.sources.find(({ name }) => name === held.source)
  const isRight = isSame(reading, held) && isUndisputed(honest, reading, now)
  return isRight && !isSlip(honest.pair, source?.observations ?? [], now)
}

export function runMove(trial: MoveTrial, world: TrialWorld): MoveOutcome {
  const { honest, read } = world
  const { step, shownAt, relativesAt } = trial
  const end = trial.from + MOST_MS
  const move = moveOf(honest, step)
  const sources = read.map((source) => {
    const from = read.length === 1 ? trial.from : shownAt.get(source.name)!
    const observations = distort(source.observations, { from, until: end + 1, end }, move)
    return { ...source, observations }
  })
  const moved = ({ buy, sell }: Sides) => ({
    buy: Math.round(buy * (1 + step)),
    sell: Math.round(sell * (1 + step)),
  })
  const others = (key: PairKey, now: Instant) => {
    const current = world.others(key, now)
    if (!current || relativesAt === null || now < relativesAt) return current
    return { ...current, ...moved(current), readings: current.readings.map(moved) }
  }

  const run = new PairRun(honest.pair, sources, { ...world.options, others }, world.state)
  const seen = seenByTwo(trial, world)
  const near = Math.abs(Math.log1p(step)) / 3
  const isNear = (sell: number, reading: number | undefined) =>
    reading !== undefined && Math.abs(Math.log(sell / reading)) <= near
  for (const { now } of cyclesOf(run, trial.from, end)) {
    const { current } = run.state
    if (!current || current.updatedAt < trial.from) continue

    const isArrived = sources.some(
      (source, index) =>
        isNear(current.sell, readingAt(source.observations, now)?.sell) &&
        !isNear(current.sell, readingAt(read[index]!.observations, now)?.sell),
    )
    if (isArrived) return { delay: Math.max(0, (now - seen) / MINUTE_MS) }
  }
  return { delay: null }
}

/**
 * When two sources of different provenance show the move, or the only one does. A source that is
 * asked seldom shows it when it is asked, a cycle earlier at most.
 */
function seenByTwo({ from, shownAt }: MoveTrial, { honest, read, options }: TrialWorld): Instant {
  const shown = read
    .map((source) => {
      const { name, provenance } = source
      const at = read.length === 1 ? from : shownAt.get(name)!
      const asked = firstAsked(askedOf(honest.pair, source, options.timetable), at)
      return { at: Math.max(at, asked - CYCLE_MS), provenance }
    })
    .toSorted((a, b) => a.at - b.at)
  const second = shown.find(({ provenance }) => provenance !== shown[0]!.provenance)
  return (second ?? shown[0]!).at
}

function firstAsked({ isAsked }: Timetable, at: Instant): Instant {
  let now = Math.ceil(at / CYCLE_MS) * CYCLE_MS
  while (!isAsked(now) && now < at + DAY_MS) now += CYCLE_MS
  return now
}

function* cyclesOf(
  run: PairRun,
  from: Instant,
  end: Instant,
): Generator<{ now: Instant; decision: Decision; pause: number; natural: number }> {
  let last: Instant | null = null
  for (let now = Math.ceil(from / CYCLE_MS) * CYCLE_MS; now <= end; now += CYCLE_MS) {
    const decision = run.cycle(now)
    if (!decision) continue

    const natural: number = now - (last ?? now)
    last = now
    yield { now, decision, pause: askedPause(natural), natural }
  }
}

function isSame(one: Sides, other: Sides): boolean {
  return one.buy === other.buy && one.sell === other.sell
}

/** The longest unbroken time that something was so, in minutes. */
export class Stretch {
  longest = 0
  /** How many of them lasted longer than what was asked for. */
  count = 0
  readonly #counted: number
  #since = -1

  constructor(counted = Infinity) {
    this.#counted = counted
  }

  /** `pause` is the time since the last cycle, in milliseconds. */
  note(isSo: boolean, pause: number) {
    if (!isSo) {
      this.#since = -1
      return
    }
    const before = this.#since
    this.#since = before < 0 ? 0 : before + pause / MINUTE_MS
    this.longest = Math.max(this.longest, this.#since)
    if (before <= this.#counted && this.#since > this.#counted) this.count += 1
  }
}

const LATE_MINUTES = 10

/**
 * Counts how often the value in effect lagged behind sources that agree, whatever the guard calls
 * it: a guard that waits without a hold is late all the same.
 */
export class Lateness {
  readonly #honest: Honest
  readonly #late = new Stretch(LATE_MINUTES)
  #last: Instant | null = null

  constructor(honest: Honest) {
    this.#honest = honest
  }

  get count(): number {
    return this.#late.count
  }

  note(now: Instant, { current }: GuardState) {
    const pause = now - (this.#last ?? now)
    this.#last = now
    const reading = readingAt(this.#honest.sources[0]!.observations, now)
    const isLate =
      current !== null &&
      reading !== undefined &&
      outside(this.#honest, current.sell, now) > rightWithin(this.#honest) &&
      isUndisputed(this.#honest, reading, now)
    this.#late.note(isLate, pause)
  }
}
