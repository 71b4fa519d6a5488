/** Recorded files as sources: their values, and the cycles in which they are requested. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parse } from 'csv-parse/sync'
import { median } from 'simple-statistics'
import { type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import {
  findPair,
  type Pair,
  type PairKey,
  pairKey,
  PAIRS,
} from '../../../shared/market/catalog.ts'
import { type Hours, pairRhythm } from '../../../shared/market/market-hours.ts'
import { isOpen } from '../../../workers/scraper/collect/hours.ts'
import { numberToPrice, roundPrice } from '../../../shared/market/price.ts'
import type { Level } from '../../../workers/scraper/guard/level.ts'
import type { Candidate, PairSource } from '../../../workers/scraper/pairs/derivation.ts'
import { sourcesOf } from '../../../workers/scraper/pairs/pair-sources.ts'
import { sourceNamed } from '../../../workers/scraper/sources/index.ts'
import { firstIndex } from '../../support/first-index.ts'

export const CYCLE_MS = 5 * MINUTE_MS

/** The value that a source gave for a pair at an instant. */
export interface Observation extends Level {
  at: Instant
}

/** A recorded file: the observations of each pair, sorted by time. */
export interface Series {
  /** The file's name without its extension. */
  name: string
  observations: Map<PairKey, Observation[]>
}

/** Turns an honest value into the value that a faulty source shows. */
export type Distortion = (honest: Level) => Level

/** What a faulty source shows from an instant on. */
export interface Fault {
  from: Instant
  distortion: Distortion
}

export interface ReplaySource extends Required<
  Pick<Candidate, 'provenance' | 'sameDefinition' | 'onlySell'>
> {
  name: string
  /** The cycles that request the source. */
  asked: ReadonlySet<Instant>
  observations: readonly Observation[]
  fault?: Fault | undefined
}

export interface PairSources {
  pair: Pair
  /** In the pair's order of preference. */
  sources: readonly ReplaySource[]
}

type Row = Record<'observed_at' | 'moneda' | 'casa', string> &
  Partial<Record<'compra' | 'venta', number | string | null>>

/**
 * Reads a CSV of hourly observations (`observed_at,moneda,casa,compra,venta,…`) or JSON lines
 * (`{"committed_at","body":[…]}`), within the given time. Sorts by the time of observation, because
 * the sources' own timestamps sometimes go backwards or are in the future.
 */
export function readSeries(path: string, from = -Infinity, until = Infinity): Series {
  const text = readFileSync(path, 'utf8')
  const rows = text.startsWith('{')
    ? text.trim().split('\n').flatMap(rowsOfLine)
    : parse<Row>(text, { columns: true, relax_column_count: true })
  const observations: Series['observations'] = new Map()
  for (const { observed_at, moneda, casa, compra, venta } of rows) {
    const at = Date.parse(observed_at)
    const pair = findPair(moneda, casa === 'contadoconliqui' ? 'CCL' : casa)
    // A single number counts for both sides. A row without a number is skipped.
    const [buy, sell] = [Number(compra || venta), Number(venta || compra)]
    if (!pair || !(buy > 0 && sell > 0 && at >= from && at < until)) continue

    const price = (value: number) => roundPrice(numberToPrice(value), pair.decimals)
    const known = observations.get(pairKey(pair)) ?? []
    known.push({ at, buy: price(buy), sell: price(sell) })
    observations.set(pairKey(pair), known)
  }
  for (const all of observations.values()) all.sort((a, b) => a.at - b.at)
  return { name: basename(path).replace(/\.[^.]*$/, ''), observations }
}

function rowsOfLine(line: string): Row[] {
  const { committed_at, body } = JSON.parse(line) as { committed_at: string; body: Row[] }
  return body.map((row) => ({ ...row, observed_at: committed_at }))
}

/** Every pair in any of the files. Each file stands for a source of another provenance. */
export function marketOf(files: readonly Series[]): PairSources[] {
  const all = files.flatMap((file) => [...file.observations.values()])
  const span = spanOf(all.map((observations) => ({ observations })))
  return PAIRS.map((pair) => {
    const recorded = files.filter(({ observations }) => observations.has(pairKey(pair)))
    const roles = rolesOf(pair).slice(0, recorded.length)
    return {
      pair,
      sources: roles.map((role, index) => sourceOf(pair, role, recorded[index]!, span)),
    }
  }).filter(({ sources }) => sources.length > 0)
}

/** The first source of each provenance, sources with the pair's own definition first. */
function rolesOf(pair: Pair): PairSource[] {
  return sourcesOf(pair)
    .filter(({ provenance }, index, all) => {
      return index === all.findIndex((one) => one.provenance === provenance)
    })
    .toSorted((a, b) => Number(b.sameDefinition) - Number(a.sameDefinition))
}

function sourceOf(pair: Pair, role: PairSource, series: Series, span: Span): ReplaySource {
  const { name } = series
  const { provenance, sameDefinition, needs } = role
  const observations = series.observations.get(pairKey(pair))!
  const asked = cyclesIn(span, [sourceNamed(needs[0]!).rhythm.hours, pairRhythm(pair).hours])
  // The source gives one number for both sides, or taxes only the sell side.
  const ratio = median(observations.map(({ buy, sell }) => sell / buy))
  const onlySell = ratio === 1 || ratio > 1.2
  return { name, provenance, sameDefinition, onlySell, asked, observations }
}

interface Span {
  start: Instant
  end: Instant
}

/** The cycles from the first observation to three hours after the last. */
export function spanOf(sources: readonly Pick<ReplaySource, 'observations'>[]): Span {
  const ends = sources.flatMap(({ observations }) => [observations[0]!.at, observations.at(-1)!.at])
  return { start: nextCycle(Math.min(...ends)), end: Math.max(...ends) + 180 * MINUTE_MS }
}

export function nextCycle(at: Instant): Instant {
  return Math.ceil(at / CYCLE_MS) * CYCLE_MS
}

/** The cycles in which the service requests a source: within the hours of source and pair. */
export function cyclesIn({ start, end }: Span, hours: readonly Hours[]): ReadonlySet<Instant> {
  const cycles = new Set<Instant>()
  for (let now = start; now <= end; now += CYCLE_MS)
    if (hours.every((one) => isOpen(one, now))) cycles.add(now)
  return cycles
}

/** The number of observations at or before an instant. */
export function countUntil(observations: readonly { at: Instant }[], now: Instant): number {
  return firstIndex(observations.length, (index) => observations[index]!.at > now)
}

/** The last observation at or before an instant. */
export function readingAt<One extends Observation>(
  observations: readonly One[],
  now: Instant,
): One | undefined {
  return observations[countUntil(observations, now) - 1]
}

/** What a source shows at an instant: its latest observation, or its fault. */
export function shownAt({ observations, fault }: ReplaySource, now: Instant): Level | undefined {
  const honest = readingAt(observations, now)
  return honest && fault && now >= fault.from ? fault.distortion(honest) : honest
}

/**
 * The readings of a source: each new value, at the cycle that first read the value. So delays do
 * not include time in which the source is not requested.
 */
export function readOf({ observations, asked }: ReplaySource): readonly Observation[] {
  const read: Observation[] = []
  let last: Observation | undefined
  for (const now of asked) {
    const reading = readingAt(observations, now)
    if (reading && reading !== last) read.push({ ...reading, at: now })
    last = reading
  }
  return read
}
