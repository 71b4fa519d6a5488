/** Which source of the service a recorded file stands for, pair by pair. */
import { UsageError } from '../../support/arguments.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { PAIRS, pairKey } from '../../../shared/market/catalog.ts'
import { pairRhythm } from '../../../shared/market/market-hours.ts'
import { sourcesOf } from '../../../workers/scraper/pairs/pair-sources.ts'
import type { PairSource } from '../../../workers/scraper/pairs/pair-source.ts'
import { sourceNamed } from '../../../workers/scraper/sources/index.ts'
import { type Observation, readSeries, type Series } from './series.ts'
import type { ReplaySource } from './simulate.ts'

export interface ReplayFile {
  series: Series
  /**
   * Name of a source, of a document or of a provenance of the service, or of none. Null for a
   * file that stands where it is given: `--a` for the first source of each of its pairs, `--b`
   * for an independent one.
   */
  role: string | null
}

/** `--a`, `--b` and each `--source NAME=FILE`. */
export function filesOf(values: {
  a?: string | undefined
  b?: string | undefined
  source: string[]
}): ReplayFile[] {
  const placed = [values.a, values.b].filter((path) => path !== undefined)
  return [
    ...placed.map((path) => ({ series: readSeries(path), role: null })),
    ...values.source.map((text) => {
      const [role = '', ...path] = text.split('=')
      if (role === '' || path.length === 0) throw new UsageError(`--source NAME=FILE, not ${text}`)
      return { series: readSeries(path.join('=')), role }
    }),
  ]
}

/** A file without what it says outside a span. */
export function within(
  { series, role }: ReplayFile,
  { from = -Infinity, until = Infinity }: { from?: number | undefined; until?: number | undefined },
): ReplayFile {
  const observations = new Map(
    [...series.observations].map(([pair, all]) => [
      pair,
      all.filter(({ at }) => at >= from && at < until),
    ]),
  )
  return { series: { ...series, observations }, role }
}

type Role = Pick<PairSource, 'provenance' | 'sameDefinition'> & Pick<ReplaySource, 'rhythm'>

/** The sources of a pair in its order of preference, as the service would hear them. */
export function sourcesOfFiles(pair: Pair, files: readonly ReplayFile[]): ReplaySource[] {
  const read: { source: ReplaySource; rank: number }[] = []
  const taken: string[] = []
  for (const { series, role } of files) {
    const observations = series.observations.get(pairKey(pair))
    if (!observations?.length) continue

    const found = role === null ? nextRole(pair, taken) : roleNamed(pair, role)
    if (!found) continue

    const plain = role ?? series.name
    const name = read.some(({ source }) => source.name === plain) ? `${plain}-b` : plain
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

function roleNamed(pair: Pair, name: string): { role: Role; rank: number } | null {
  const is = (source: PairSource) => ranksAs(source, name)
  const rank = sourcesOf(pair).findIndex(is)
  if (rank >= 0) return { role: roleOf(sourcesOf(pair)[rank]!), rank }

  const isKnown = PAIRS.some((other) => sourcesOf(other).some(is))
  return isKnown ? null : strangerTo(pair, name)
}

function ranksAs({ name, needs, provenance }: PairSource, role: string): boolean {
  return name === role || provenance === role || (needs.length === 1 && needs[0] === role)
}

function roleOf({ provenance, sameDefinition, needs }: PairSource): Role {
  return { provenance, sameDefinition, rhythm: sourceNamed(needs[0]!).rhythm }
}

/** A source that the service does not have: independent of all, by the pair's definition and rhythm. */
function strangerTo(pair: Pair, provenance: string): { role: Role; rank: number } {
  return { role: { provenance, sameDefinition: true, rhythm: pairRhythm(pair) }, rank: 100 }
}
