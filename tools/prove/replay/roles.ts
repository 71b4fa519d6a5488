/** Which source of the service a recorded file stands for, pair by pair. */
import type { Pair } from '../../../shared/market/catalog.ts'
import { pairKey } from '../../../shared/market/catalog.ts'
import { pairRhythm } from '../../../shared/market/market-hours.ts'
import { sourcesOf } from '../../../workers/scraper/pairs/pair-sources.ts'
import type { PairSource } from '../../../workers/scraper/pairs/pair-source.ts'
import { sourceNamed } from '../../../workers/scraper/sources/index.ts'
import type { Observation, Series } from './series.ts'
import type { ReplaySource } from './simulate.ts'

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
