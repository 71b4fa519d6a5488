/**
 * Fetches the past of pairs from the public archives and imports it. Each series is imported whole,
 * by the import's rules, so an interrupted run is finished by running it again.
 */
import {
  type Day,
  type Instant,
  addDays,
  argentineDay,
  DAY_MS,
  daysBetween,
} from '../../../shared/argentine-time.ts'
import { type Pair, findPairByKey, pairKey, PAIRS } from '../../../shared/market/catalog.ts'
import { type Price, priceToNumber } from '../../../shared/market/price.ts'
import { SourceError } from '../../../workers/scraper/sources/source.ts'
import { closeOf, closesOf, type Format } from '../import/formats.ts'
import { importSeries, type Owned, readOwned } from '../import/import-series.ts'
import { valueAt } from '../import/merge.ts'
import { touchesDay, union } from '../import/ranges.ts'
import { readFile } from '../import/read-file.ts'
import type { FileRecord } from '../import/records.ts'
import { type PairSummary, summaryLines } from '../import/report.ts'
import { type Served, SERVED } from './archives.ts'
import { type Documents, DocumentError } from './fetch-documents.ts'

export interface BackfillOptions {
  /** All pairs by default, in catalogue order: the blue euro needs the blue dollar. */
  pairs?: readonly Pair[]
  from?: Day | undefined
  to?: Day | undefined
  dryRun?: boolean | undefined
}

export interface BackfillDeps {
  db: D1Database
  documents: Documents
  now: () => Instant
  /** Called with the share of finished pairs, and what is being fetched. */
  onProgress: (share: number, text: string) => void
  signal?: AbortSignal
}

type Filled = PairSummary & { archive: string }

/** A series that could not be fetched. This run requests no further archive of the pair. */
export interface Failure {
  pair: Pair
  archive: string
  reason: string
}

/** If an archive has no row for up to this many days, its last value counts as unchanged. */
const LONGEST_SILENCE_DAYS = 10

export async function backfill(deps: BackfillDeps, options: BackfillOptions = {}) {
  const { pairs = PAIRS } = options
  const filled: Filled[] = []
  const failures: Failure[] = []
  /** Pairs with nothing left to fetch. */
  const complete: Pair[] = []

  for (const [index, pair] of pairs.entries()) {
    const before = filled.length + failures.length
    for (const [rank, served] of (SERVED[pairKey(pair)] ?? []).entries()) {
      deps.signal?.throwIfAborted()
      const archive = served.archive.name
      deps.onProgress(index / pairs.length, `${archive} ${pairKey(pair)}`)
      try {
        const imported = await fill(deps, options, pair, served, rank > 0)
        if (imported) filled.push({ archive, ...imported })
      } catch (error) {
        if (!(error instanceof DocumentError || error instanceof SourceError)) throw error
        const of = error instanceof SourceError ? `${archive} ` : ''
        failures.push({ pair, archive, reason: of + error.message })
        // Stop here: a later archive would fill this one's days, and its values would stay.
        break
      }
    }
    if (filled.length + failures.length === before && SERVED[pairKey(pair)]) complete.push(pair)
  }
  return { filled, failures, complete }
}

/** Imports an archive's rows of days that have no value yet. Null when no such day is left. */
async function fill(
  { db, documents, now }: BackfillDeps,
  { from, to, dryRun = false }: BackfillOptions,
  pair: Pair,
  served: Served,
  isFurther: boolean,
) {
  const owned = await readOwned(db, pair)
  const last = lastDay(pair, Math.min(now(), owned.liveFrom ?? Infinity))
  const begin = from && from > served.from ? from : served.from
  const end = to && to < last ? to : last
  const holes = holesOf(owned, begin, end).filter(
    (hole) => isLong(hole) || (!isFurther && hole.to === end),
  )
  if (holes.length === 0) return null

  const { archive, key } = served
  const rows: FileRecord[] = []
  for (const address of new Set(
    holes.flatMap((hole) => archive.addresses(key, hole.from, hole.to)),
  ))
    rows.push(...archive.read(await documents.get(address), key))

  const wanted = rows.filter(({ fecha }) =>
    holes.some(({ from, to }) => String(fecha) >= from && String(fecha) <= to),
  )
  const format = await formatOf(db, pair, served)
  const [series] = readFile(wanted, format, now()).series
  if (!series) return null

  // Weekends and holidays without a row are not holes.
  const silence = LONGEST_SILENCE_DAYS * DAY_MS
  series.coverage = union([...owned.coverage.daily, ...series.coverage], silence)
  return importSeries(db, format, series, { dryRun })
}

function lastDay(pair: Pair, at: Instant): Day {
  const day = argentineDay(at)
  return closeOf(pair, day) <= at ? day : addDays(day, -1)
}

/** Consecutive days without a value, both ends inclusive. */
interface Hole {
  from: Day
  to: Day
}

function isLong({ from, to }: Hole): boolean {
  return daysBetween(from, to) >= LONGEST_SILENCE_DAYS
}

function holesOf({ coverage }: Owned, from: Day, to: Day): Hole[] {
  const taken = union([...coverage.daily, ...coverage.timed])
  const holes: Hole[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    if (touchesDay(taken, day)) continue
    const last = holes.at(-1)
    if (last && addDays(last.to, 1) === day) last.to = day
    else holes.push({ from: day, to: day })
  }
  return holes
}

/** How the import reads the rows of an archive. */
async function formatOf(
  db: D1Database,
  pair: Pair,
  { archive, key, times }: Served,
): Promise<Format> {
  const dollarAt = times && (await readCloses(db, findPairByKey(times)!))
  return {
    ...closesOf(pair, archive.source(key)),
    factorsOf(_, at, { unidades = 1 }) {
      if (!dollarAt) return [1 / Number(unidades), 1 / Number(unidades)]
      const dollar = dollarAt(at)
      if (!dollar) return 'nobody has the dollar of that day'
      return [priceToNumber(dollar.buy), priceToNumber(dollar.sell)]
    },
  }
}

/** Reads the closes of a dollar, for the days that an import covers or that were recorded live. */
async function readCloses(db: D1Database, pair: Pair) {
  const { coverage, liveFrom } = await readOwned(db, pair)
  const days = union([...coverage.daily, ...coverage.timed])
  const { results } = await db
    .prepare('select day, buy, close as sell from daily_candles where pair = ?1 order by day')
    .bind(pair.id)
    .all<{ day: Day; buy: Price; sell: Price }>()
  const closes = results.map(({ day, ...close }) => ({ at: closeOf(pair, day), ...close }))

  return (at: Instant) => {
    const isKnown = touchesDay(days, argentineDay(at)) || (liveFrom !== null && liveFrom <= at)
    return isKnown ? valueAt(closes, at) : undefined
  }
}

export function filledLines(filled: readonly Filled[]): string[] {
  return [...Map.groupBy(filled, ({ archive }) => archive)].flatMap(([archive, summaries]) => [
    `${archive}:`,
    ...summaryLines(summaries),
  ])
}

/**
 * One line per reason: `api.bcra.gob.ar answered 503: ARG/CER (bcra-variables) left for another
 * run`.
 */
export function failureLines(failures: readonly Failure[]): string[] {
  return [...Map.groupBy(failures, ({ reason }) => reason)].map(([reason, of]) => {
    const pairs = of.map(({ pair, archive }) => `${pairKey(pair)} (${archive})`)
    return `${reason}: ${pairs.join(', ')} left for another run`
  })
}

export function pointsMade(filled: readonly Filled[]): number {
  return filled.reduce((all, { made }) => all + made, 0)
}
