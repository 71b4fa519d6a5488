/**
 * Fetches the history of pairs from the public archives and imports it. Each series is imported at
 * once, with the rules of `import`, so running it again finishes an interrupted run.
 */
import {
  type Day,
  type Instant,
  addDays,
  argentineDay,
  DAY_MS,
  dayEnd,
  dayStart,
} from '../../../shared/argentine-time.ts'
import { type Pair, pairKey, PAIRS } from '../../../shared/market/catalog.ts'
import { SourceError } from '../../../workers/scraper/sources/source.ts'
import { closesOf } from '../import/formats.ts'
import { importSeries, readOwned } from '../import/import-series.ts'
import { dayRanges, daysOf, touchesDay, union } from '../import/ranges.ts'
import { readFile } from '../import/read-file.ts'
import type { PairSummary } from '../import/report.ts'
import { type ArchivedSeries, SERIES } from './archives.ts'
import { DocumentError, type GetDocument } from './fetch-documents.ts'

export interface BackfillOptions {
  /** All pairs by default. */
  pairs?: readonly Pair[]
  from?: Day | undefined
  to?: Day | undefined
  dryRun?: boolean | undefined
}

export interface BackfillDeps {
  db: D1Database
  get: GetDocument
  now: () => Instant
  /** Called before each series. */
  onSeries?: (pair: Pair) => void
  signal?: AbortSignal
}

/** A series that could not be fetched. */
export interface Failure {
  pair: Pair
  reason: string
}

/** If an archive has no row for up to this many days, its previous value counts as unchanged. */
const LONGEST_SILENCE_DAYS = 10

export async function backfill(deps: BackfillDeps, options: BackfillOptions = {}) {
  const { pairs = PAIRS } = options
  const filled: PairSummary[] = []
  const failures: Failure[] = []

  for (const pair of pairs)
    for (const series of SERIES[pairKey(pair)] ?? []) {
      deps.signal?.throwIfAborted()
      deps.onSeries?.(pair)
      try {
        const summary = await fill(deps, options, pair, series)
        if (summary) filled.push(summary)
      } catch (error) {
        if (!(error instanceof DocumentError || error instanceof SourceError)) throw error
        failures.push({ pair, reason: error.message })
      }
    }
  return { filled, failures }
}

/**
 * Imports a series from the first day without a value to the last day without a value. Returns null
 * when every day has a value, or when the series has none of these days.
 */
async function fill(
  { db, get, now }: BackfillDeps,
  { from, to, dryRun = false }: BackfillOptions,
  pair: Pair,
  { source, read, ...archived }: ArchivedSeries,
): Promise<PairSummary | null> {
  const { coverage, liveFrom } = await readOwned(db, pair)
  const yesterday = addDays(argentineDay(Math.min(now(), liveFrom ?? Infinity)), -1)
  const begin = [archived.from, from ?? archived.from].toSorted().at(-1)!
  const end = [yesterday, archived.to ?? yesterday, to ?? yesterday].toSorted()[0]!
  const taken = union([...coverage.daily, ...coverage.timed])
  const missing = daysOf([dayStart(begin), dayEnd(end)]).filter((day) => !touchesDay(taken, day))
  const [first, last] = [missing[0], missing.at(-1)]
  if (first === undefined || last === undefined) return null

  const rows = (await read(get, first, last)).filter(
    ({ fecha }) => String(fecha) >= first && String(fecha) <= last,
  )
  const format = closesOf(pair, source)
  const [series] = readFile(rows, format, now()).series
  if (!series) return null

  // Weekends and holidays without a row count as covered, also next to earlier imports.
  const days = dayRanges(series.rows.map(({ at }) => argentineDay(at)))
  const covered = union([...coverage.daily, ...days], LONGEST_SILENCE_DAYS * DAY_MS)
  return importSeries(db, format, { ...series, coverage: covered }, { dryRun })
}

export function pointsMade(filled: readonly PairSummary[]): number {
  return filled.reduce((all, { made }) => all + made, 0)
}
