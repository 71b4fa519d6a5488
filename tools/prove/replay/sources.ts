/** Which source of the service a recorded file stands for, pair by pair, and what is read of it. */
import { type Pair, pairKey, PAIRS } from '../../../shared/market/catalog.ts'
import { pairRhythm } from '../../../shared/market/market-hours.ts'
import type { PairSource } from '../../../workers/scraper/pairs/pair-source.ts'
import { sourcesOf } from '../../../workers/scraper/pairs/pair-sources.ts'
import { sourceNamed } from '../../../workers/scraper/sources/index.ts'
import { evaluate, type PairReport } from './evaluate.ts'
import type { Observation, Series } from './series.ts'
import {
  type PairSources,
  type ReplaySource,
  type Simulation,
  simulateMarket,
  spanOf,
} from './simulate.ts'
import { askedOf, CYCLE_MS, type Timetables, timetables } from './timetable.ts'

/**
 * A source with what was read of it: each new value at the cycle that first read it. What it
 * said while nobody asked is nobody's delay.
 */
export function readBy(pair: Pair, source: ReplaySource, timetable: Timetables): ReplaySource {
  if (!source.rhythm) return source

  const { isAsked } = askedOf(pair, source, timetable)
  const { start, end } = spanOf([source])
  const observations: Observation[] = []
  let known = 0
  for (let now = start; now <= end; now += CYCLE_MS) {
    if (!isAsked(now)) continue

    const before = known
    while ((source.observations[known]?.at ?? Infinity) <= now) known += 1
    if (known > before) observations.push({ ...source.observations[known - 1]!, at: now })
  }
  return { ...source, observations }
}

/** A file without what it says outside a span. */
export function within(
  series: Series,
  { from = -Infinity, until = Infinity }: { from?: number | undefined; until?: number | undefined },
): Series {
  const observations = new Map(
    [...series.observations].map(([pair, all]) => [
      pair,
      all.filter(({ at }) => at >= from && at < until),
    ]),
  )
  return { ...series, observations }
}

type Role = Pick<PairSource, 'provenance' | 'sameDefinition'> & Pick<ReplaySource, 'rhythm'>

/** The sources of a pair in its order of preference, as the service would hear them. */
export function sourcesOfFiles(pair: Pair, files: readonly Series[]): ReplaySource[] {
  const read: { source: ReplaySource; rank: number }[] = []
  const taken: string[] = []
  for (const series of files) {
    const observations = series.observations.get(pairKey(pair))
    if (!observations?.length) continue

    const found = nextRole(pair, taken)
    const name = read.some(({ source }) => source.name === series.name)
      ? `${series.name}-b`
      : series.name
    taken.push(found.role.provenance)
    const source = { name, ...found.role, onlySell: hasOnlySell(observations), observations }
    read.push({ source, rank: found.rank })
  }
  return read.toSorted((one, other) => one.rank - other.rank).map(({ source }) => source)
}

/** A recording gives one number for both sides, or taxes the sell alone, for as long as it is. */
function hasOnlySell(observations: readonly Observation[]): boolean {
  const ratios = observations.map(({ buy, sell }) => sell / buy).toSorted((a, b) => a - b)
  const middle = ratios[Math.floor(ratios.length / 2)]!
  return middle === 1 || middle > 1.2
}

/**
 * The pair's next source whose provenance no file has taken, of its definition if there is one: a
 * recorded quote stands for a quote, and not for a central bank's number of the day.
 */
function nextRole(pair: Pair, taken: readonly string[]): { role: Role; rank: number } {
  const sources = sourcesOf(pair)
  const free = sources.filter(({ provenance }) => !taken.includes(provenance))
  const quotes = free.toSorted((one, other) => minutesOf(one) - minutesOf(other))
  const source = free.find(({ sameDefinition }) => sameDefinition) ?? quotes[0]
  if (source) return { role: roleOf(source), rank: sources.indexOf(source) }

  return strangerTo(pair, `file ${taken.length + 1}`)
}

function minutesOf({ needs }: PairSource): number {
  return Math.max(...needs.map((name) => sourceNamed(name).rhythm.everyMinutes))
}

function roleOf({ provenance, sameDefinition, needs }: PairSource): Role {
  return { provenance, sameDefinition, rhythm: sourceNamed(needs[0]!).rhythm }
}

/** A source that the service does not have: independent of all, by the pair's definition and rhythm. */
function strangerTo(pair: Pair, provenance: string): { role: Role; rank: number } {
  return { role: { provenance, sameDefinition: true, rhythm: pairRhythm(pair) }, rank: 100 }
}

interface Replayed {
  pair: string
  simulation: Simulation
  report: PairReport
}

/** Replays every pair that the files hold, the first file as its first source. */
export function replay(files: readonly Series[]): Replayed[] {
  const market = marketOf(files)
  if (market.length === 0) return []

  const { start, end } = spanOf(market.flatMap(({ sources }) => sources))
  const timetable = timetables(start, end)
  const simulations = simulateMarket(market, { timetable })
  return market.map(({ pair, sources }, index) => {
    const simulation = simulations[index]!
    const read = sources.map((source) => readBy(pair, source, timetable))
    return { pair: pairKey(pair), simulation, report: evaluate(pair, read, simulation) }
  })
}

/** Every pair that some file holds, with its sources. */
export function marketOf(files: readonly Series[]): PairSources[] {
  return PAIRS.map((pair) => ({ pair, sources: sourcesOfFiles(pair, files) })).filter(
    ({ sources }) => sources.length > 0,
  )
}
