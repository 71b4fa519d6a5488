/** Recorded files instead of the service's sources: their values, and when they are requested. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parse } from 'csv-parse/sync'
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

/** A recorded file: the observations of each pair, in order of time. */
export interface Series {
  /** The file's name without its ending. */
  name: string
  observations: Map<PairKey, Observation[]>
}

/** Turns an honest value into the value that a faulty source shows. */
export type Distortion = (honest: Level) => Level

export interface ReplaySource extends Required<
  Pick<Candidate, 'provenance' | 'sameDefinition' | 'onlySell'>
> {
  name: string
  /** The cycles that request it. */
  asked: ReadonlySet<Instant>
  observations: readonly Observation[]
  /** What it shows in `[from, until)`. */
  fault?: { from: Instant; until: Instant; distortion: Distortion }
}

export interface PairSources {
  pair: Pair
  /** In the pair's order of preference. */
  sources: readonly ReplaySource[]
}

type Row = Record<'observed_at' | 'moneda' | 'casa', string> &
  Partial<Record<'compra' | 'venta', number | string | null>>

/**
 * Reads the CSV of hourly observations (`observed_at,moneda,casa,compra,venta,…`) or JSON lines
 * (`{"committed_at","body":[…]}`), only within the given time. Rows are ordered by the time of
 * observation: the sources' own time stamps go backwards and into the future.
 */
export function readSeries(path: string, from = -Infinity, until = Infinity): Series {
  const text = readFileSync(path, 'utf8')
  const rows = text.startsWith('{')
    ? jsonRows(text)
    : parse<Row>(text, { columns: true, relax_column_count: true })
  const observations: Series['observations'] = new Map()
  for (const { observed_at, moneda, casa, compra, venta } of rows) {
    const at = Date.parse(observed_at)
    const pair = findPair(moneda, casa === 'contadoconliqui' ? 'CCL' : casa)
    // A single number counts for both sides; a row without a number is left out.
    const [buy, sell] = [toNumber(compra) ?? toNumber(venta), toNumber(venta) ?? toNumber(compra)]
    if (!pair || buy === null || sell === null || !(at >= from && at < until)) continue

    const price = (value: number) => roundPrice(numberToPrice(value), pair.decimals)
    const known = observations.get(pairKey(pair)) ?? []
    known.push({ at, buy: price(buy), sell: price(sell) })
    observations.set(pairKey(pair), known)
  }
  for (const all of observations.values()) all.sort((a, b) => a.at - b.at)
  return { name: basename(path).replace(/\.[^.]*$/, ''), observations }
}

function jsonRows(text: string): Row[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { committed_at: string; body: Row[] })
    .flatMap(({ committed_at, body }) => body.map((row) => ({ ...row, observed_at: committed_at })))
}

function toNumber(value: unknown): number | null {
  const number = value === null || value === '' ? NaN : Number(value)
  return Number.isFinite(number) ? number : null
}

/** Every pair in any of the files, with its sources. */
export function marketOf(files: readonly Series[]): PairSources[] {
  const all = files.flatMap((file) => [...file.observations.values()])
  const span = spanOf(all.map((observations) => ({ observations })))
  return PAIRS.map((pair) => ({ pair, sources: sourcesOfFiles(pair, files, span) })).filter(
    ({ sources }) => sources.length > 0,
  )
}

function sourcesOfFiles(pair: Pair, files: readonly Series[], span: Span): ReplaySource[] {
  const order = sourcesOf(pair)
  const found = new Map<PairSource, ReplaySource>()
  for (const { name, observations: all } of files) {
    const observations = all.get(pairKey(pair))
    if (!observations) continue

    const role = nextRole(order, [...found.keys()])
    const { provenance, sameDefinition, needs } = role
    const asked = cyclesIn(span, [sourceNamed(needs[0]!).rhythm.hours, pairRhythm(pair).hours])
    const onlySell = hasOnlySell(observations)
    found.set(role, { name, provenance, sameDefinition, onlySell, asked, observations })
  }
  return order.flatMap((role) => found.get(role) ?? [])
}

/** The pair's next source whose provenance is not taken, of the same definition if possible. */
function nextRole(order: readonly PairSource[], taken: readonly PairSource[]): PairSource {
  const free = order.filter(({ provenance }) => taken.every((one) => one.provenance !== provenance))
  const role = free.find(({ sameDefinition }) => sameDefinition) ?? free[0]
  if (!role) throw new Error('a pair of the files has no source of another provenance')

  return role
}

/** Whether a recording has one number for both sides, or a tax only on the sell side. */
function hasOnlySell(observations: readonly Observation[]): boolean {
  const ratios = observations.map(({ buy, sell }) => sell / buy).toSorted((a, b) => a - b)
  const middle = ratios[Math.floor(ratios.length / 2)]!
  return middle === 1 || middle > 1.2
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

/** The cycles in the hours of a source and of its pair, in which the service requests it. */
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
  const isFaulty = fault && now >= fault.from && now < fault.until
  return honest && isFaulty ? fault.distortion(honest) : honest
}

/**
 * The readings of a source: each new value at the cycle that first read it. So a delay does not
 * include time in which the source is not requested.
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
