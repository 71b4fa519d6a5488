/** Which source of the service a recorded file stands for, pair by pair, and when it is asked. */
import { type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey, PAIRS } from '../../../shared/market/catalog.ts'
import { isOpen, pairRhythm, type PairRhythm } from '../../../shared/market/market-hours.ts'
import type { PairSource } from '../../../workers/scraper/pairs/pair-source.ts'
import { sourcesOf } from '../../../workers/scraper/pairs/pair-sources.ts'
import { sourceNamed } from '../../../workers/scraper/sources/index.ts'
import { type Observation, readingAt, type Series } from './series.ts'

export const CYCLE_MS = 5 * MINUTE_MS

/** Whenever it is asked, it says its latest observation. */
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

export interface PairSources {
  pair: Pair
  sources: readonly ReplaySource[]
}

/** Every pair that some file holds, with its sources in its order of preference. */
export function marketOf(files: readonly Series[]): PairSources[] {
  return PAIRS.map((pair) => ({ pair, sources: sourcesOfFiles(pair, files) })).filter(
    ({ sources }) => sources.length > 0,
  )
}

function sourcesOfFiles(pair: Pair, files: readonly Series[]): ReplaySource[] {
  const order = sourcesOf(pair)
  const found: { role: PairSource; source: ReplaySource }[] = []
  for (const { name, observations: all } of files) {
    const observations = all.get(pairKey(pair))
    if (!observations) continue

    const role = nextRole(order, new Set(found.map(({ role }) => role.provenance)))
    const { provenance, sameDefinition, needs } = role
    const { rhythm } = sourceNamed(needs[0]!)
    const onlySell = hasOnlySell(observations)
    found.push({
      role,
      source: { name, provenance, sameDefinition, rhythm, onlySell, observations },
    })
  }
  return found
    .toSorted((one, other) => order.indexOf(one.role) - order.indexOf(other.role))
    .map(({ source }) => source)
}

/**
 * The pair's next source whose provenance no file has taken, of its definition if there is one: a
 * recorded quote stands for a quote, and not for a central bank's number of the day.
 */
function nextRole(order: readonly PairSource[], taken: ReadonlySet<string>): PairSource {
  const free = order.filter(({ provenance }) => !taken.has(provenance))
  const role =
    free.find(({ sameDefinition }) => sameDefinition) ??
    free.toSorted((one, other) => minutesOf(one) - minutesOf(other))[0]
  if (!role) throw new Error('a pair of the files has no source of another provenance')

  return role
}

function minutesOf({ needs }: PairSource): number {
  return Math.max(...needs.map((name) => sourceNamed(name).rhythm.everyMinutes))
}

/** A recording gives one number for both sides, or taxes the sell alone, for as long as it is. */
function hasOnlySell(observations: readonly Observation[]): boolean {
  const ratios = observations.map(({ buy, sell }) => sell / buy).toSorted((a, b) => a - b)
  const middle = ratios[Math.floor(ratios.length / 2)]!
  return middle === 1 || middle > 1.2
}

/** The cycles from the first observation to three hours after the last. */
export function spanOf(sources: readonly Pick<ReplaySource, 'observations'>[]) {
  const ends = sources.flatMap(({ observations }) => [observations[0]!.at, observations.at(-1)!.at])
  const start = Math.ceil(Math.min(...ends) / CYCLE_MS) * CYCLE_MS
  return { start, end: Math.max(...ends) + 180 * MINUTE_MS }
}

/**
 * The cycles in which the service asks a source that never fails: once at the start, and in its
 * hours whenever its interval is over, when its pair has its turn.
 */
export class Timetable {
  readonly #start: Instant
  readonly #cycles: number
  /** Made once for each rhythm: rhythms are few and pairs many. */
  readonly #asked = new Map<PairRhythm, Uint8Array>()

  constructor(market: readonly PairSources[]) {
    const { start, end } = spanOf(market.flatMap(({ sources }) => sources))
    this.#start = start
    this.#cycles = Math.floor((end - start) / CYCLE_MS) + 1
  }

  isAsked(pair: Pair, { rhythm }: Pick<ReplaySource, 'rhythm'>, now: Instant): boolean {
    const index = (now - this.#start) / CYCLE_MS
    return !rhythm || (this.#of(rhythm)[index] === 1 && this.#of(pairRhythm(pair))[index] === 1)
  }

  #of(rhythm: PairRhythm): Uint8Array {
    const known = this.#asked.get(rhythm)
    if (known) return known

    const asked = new Uint8Array(this.#cycles)
    let last = -Infinity
    for (let index = 0; index < asked.length; index += 1) {
      const now = this.#start + index * CYCLE_MS
      if (now - last < rhythm.everyMinutes * MINUTE_MS) continue
      if (last !== -Infinity && !isOpen(rhythm.hours, now)) continue

      asked[index] = 1
      last = now
    }
    this.#asked.set(rhythm, asked)
    return asked
  }
}

/**
 * What was read of a source: each new value at the cycle that first read it. What it said while
 * nobody asked is nobody's delay.
 */
export function readBy(
  pair: Pair,
  source: ReplaySource,
  timetable: Timetable,
): readonly Observation[] {
  if (!source.rhythm) return source.observations

  const { start, end } = spanOf([source])
  const observations: Observation[] = []
  let last: Observation | undefined
  for (let now = start; now <= end; now += CYCLE_MS) {
    if (!timetable.isAsked(pair, source, now)) continue

    const reading = readingAt(source.observations, now)
    if (reading && reading !== last) observations.push({ ...reading, at: now })
    last = reading
  }
  return observations
}
