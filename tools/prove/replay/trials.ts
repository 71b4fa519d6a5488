/**
 * Plans faults and moves in the recorded series of a pair. A seed always gives the same trials,
 * independent of the guard and of other seeds.
 */
import { quantile } from 'simple-statistics'
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { pairKey } from '../../../shared/market/catalog.ts'
import { distance, widest } from '../../../workers/scraper/guard/level.ts'
import { type Kind, KINDS, needsTwo, Random, times } from './kinds.ts'
import { classify } from './oracle.ts'
import {
  countUntil,
  CYCLE_MS,
  type Fault,
  nextCycle,
  type PairSources,
  readingAt,
  readOf,
  spanOf,
} from './sources.ts'

const MOVES = [0.03, -0.03, 0.05, -0.05, 0.2, -0.2, 1.18]

/** The guard reads a pair for this long before the first trial. */
const WARM_MS = 7 * DAY_MS
/** A source without a change for longer than this is dead: no trial begins there. */
const LIVE_MS = 3 * DAY_MS
/** The minimum time between a trial and a recorded fault or move. */
const AROUND_MS = 6 * HOUR_MS
/** All sources make the same move within this time. */
const STAGGER_MS = 20 * MINUTE_MS
/** A move begins at least this long before the day's hours end. */
const LEFT_MS = 4 * HOUR_MS
/** A move that is not published within this time counts as never published. */
const MOST_MS = 14 * DAY_MS
const TRIES = 60

/** Faults of each kind for each pair and seed, and moves of each size. */
const [FAULTS, MOVES_OF_A_SIZE] = [12, 6]

/** Bounds of the usual step of a source, as a logarithm. */
const [LEAST_USUAL, MOST_USUAL] = [0.003, 0.03]
/** How long a value may stay in effect after the other sources moved away from it. */
export const KEPT_MINUTES = 30

export interface Trial {
  group: Kind['group'] | 'move'
  from: Instant
  until: Instant
  /** What the sources show, in their sequence. A source without a fault stays honest. */
  faults: readonly Fault[]
  /** When the values of all other pairs make the first fault's move too; null when never. */
  relativesAt: Instant | null
}

/** A pair, with the parts of its recording that decide when a trial may begin. */
export interface Site extends PairSources {
  /** Cycles that request the first source, after the guard has read the pair for `WARM_MS`. */
  instants: readonly Instant[]
  /** Recorded faults, and moves of at least 5 %. No trial is near them. */
  unquiet: readonly { at: Instant }[]
  /** Changes of the first source. */
  changes: readonly { at: Instant }[]
  /** The usual step of the first source, as a logarithm: the upper quartile of its steps. */
  usual: number
}

export function siteOf({ pair, sources }: PairSources): Site {
  const read = sources.map(readOf)
  const unquiet = read
    .map((observations) => classify(observations))
    .flatMap(({ labelled, moves }) => [...labelled.filter((one) => one.faultAfter), ...moves])
    .toSorted((a, b) => a.at - b.at)
  const first = read[0]!
  const changes = first.filter((one, index) => index > 0 && widest(first[index - 1]!, one) > 0)
  const steps = first
    .slice(1)
    .map(({ sell }, index) => Math.abs(distance(first[index]!.sell, sell)))
    .filter((step) => step > 0 && step < 1)
  const step = quantile([0, ...steps], 0.75)
  const spans = sources.map((source) => spanOf([source]))
  const from = Math.max(...spans.map(({ start }) => start)) + WARM_MS
  const last = Math.min(...spans.map(({ end }) => end)) - DAY_MS
  const instants = [...sources[0]!.asked].filter((now) => now >= from && now <= last)
  const usual = Math.min(Math.max(step, LEAST_USUAL), MOST_USUAL)
  return { pair, sources, instants, unquiet, changes, usual }
}

/** Plans faults of every kind and half as many moves of every size, at random possible instants. */
export function planTrials(site: Site, seeds: readonly number[]): Trial[] {
  const plan = (name: string, count: number, at: (random: Random) => Trial | null) =>
    seeds.flatMap((seed) =>
      Array.from({ length: count }, (_, index) => {
        const random = new Random(seed, `${pairKey(site.pair)} ${name} ${index}`)
        for (let tries = 0; tries < TRIES && site.instants.length > 0; tries += 1) {
          const trial = at(random)
          if (trial) return [trial]
        }
        return []
      }).flat(),
    )
  return [
    ...KINDS.flatMap((kind) => plan(kind.name, FAULTS, (random) => planFault(site, kind, random))),
    ...MOVES.flatMap((size) =>
      plan(String(size), MOVES_OF_A_SIZE, (random) => planMove(site, size, random)),
    ),
  ]
}

function planFault(site: Site, kind: Kind, random: Random): Trial | null {
  const { pair, sources, instants } = site
  if (needsTwo(kind.group) && sources.length < 2) return null

  const from = instantOf(site, random)
  const honest = readingAt(sources[0]!.observations, from)!
  const distortions = kind.make({ pair, honest, random })
  if (distortions.length === 0) return null

  const until = from + Math.round(kind.minutes(random)) * MINUTE_MS
  if (!isQuiet(site, from, until)) return null
  if (kind.group === 'stale') {
    const cycles = instants.filter((now) => now >= from && now < until)
    const left = cycles.map((now) => isLeft(site, from, honest.sell, now))
    if (longest(left) < KEPT_MINUTES) return null
  }
  const faults = distortions.map((distortion) => ({ from, distortion }))
  return { group: kind.group, from, until, faults, relativesAt: null }
}

function planMove(site: Site, size: number, random: Random): Trial | null {
  const from = instantOf(site, random)
  const isLate = !site.sources[0]!.asked.has(nextCycle(from + LEFT_MS))
  if (isLate || !isQuiet(site, from, from + LEFT_MS)) return null

  const leader = random.pick(site.sources)
  const later = () => from + Math.round(random.unit() * STAGGER_MS)
  const distortion = times(site.pair, 1 + size)
  const faults = site.sources.map((source) => {
    return { from: source === leader ? from : later(), distortion }
  })
  const relativesAt = random.pick([true, false]) ? later() : null
  return { group: 'move', from, until: from + MOST_MS, faults, relativesAt }
}

/** A random instant in the five minutes before a cycle that requests the source. */
function instantOf({ instants }: Site, random: Random): Instant {
  return random.pick(instants) - Math.floor(random.unit() * CYCLE_MS)
}

/** Whether the recording has no fault or move around a trial, and the first source is alive. */
function isQuiet({ unquiet, changes }: Site, from: Instant, until: Instant): boolean {
  const happened = countUntil(unquiet, until + AROUND_MS) - countUntil(unquiet, from - AROUND_MS)
  const isDead = countUntil(changes, from) === countUntil(changes, from - LIVE_MS)
  return happened === 0 && !isDead
}

/**
 * Whether the market left a value that is stale since `from`: another source moved a usual step,
 * and all honest readings are as far above it, or all below (between them, definitions may differ).
 */
export function isLeft(
  { sources, usual }: Site,
  from: Instant,
  sell: number,
  now: Instant,
): boolean {
  const sells = (at: Instant) => sources.map((one) => readingAt(one.observations, at)!.sell)
  const [before, after] = [sells(from), sells(now)]
  const offs = after.map((one) => distance(sell, one))
  const isOutside = Math.min(...offs) > usual || Math.max(...offs) < -usual
  const hasMoved = (one: number, index: number) =>
    index > 0 && Math.abs(distance(before[index]!, one)) >= usual
  return isOutside && after.some(hasMoved)
}

/** Minutes from the first to the last cycle of the longest run of cycles with a condition. */
export function longest(cycles: readonly boolean[]): number {
  let [most, count] = [0, -1]
  for (const isSo of cycles) {
    count = isSo ? count + 1 : -1
    most = Math.max(most, count)
  }
  return (most * CYCLE_MS) / MINUTE_MS
}
