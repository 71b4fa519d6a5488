/**
 * Fetches the past of pairs from the public archives and imports it. Each series goes in whole, by
 * the import's rules, so that a run cut short anywhere is simply done again.
 */
import { addDays, argentineDay, type Day, type Instant } from '../../../shared/argentine-time.ts'
import { findPairByKey, type Pair, pairKey, PAIRS } from '../../../shared/market/catalog.ts'
import { SourceError } from '../../../workers/scraper/sources/parsing/source-error.ts'
import { closeOf } from '../import/formats.ts'
import { importSeries } from '../import/import-series.ts'
import { union } from '../import/ranges.ts'
import { findingLines, type PairSummary, skippedLines, summaryTable } from '../import/report.ts'
import type { Finding } from '../import/suspicion.ts'
import { type Owned, readOwned } from '../import/stored.ts'
import type { ArchiveRow } from './archives.ts'
import { DocumentError, type Documents } from './fetch-documents.ts'
import { type Hole, holesOf, longHoles, stretchesOf } from './holes.ts'
import { readLeg, readSeries } from './read-series.ts'
import { SERVED, type Served } from './table.ts'

export interface BackfillOptions {
  pairs: readonly Pair[]
  from: Day | null
  to: Day | null
  /** Only this archive. */
  source: string | null
  dryRun: boolean
}

export interface BackfillDeps {
  db: D1Database
  documents: Documents
  now: () => Instant
  /** Receives the share of the pairs that are done, and what is fetched now. */
  onProgress: (share: number, text: string) => void
  signal?: AbortSignal
}

export const EVERYTHING: BackfillOptions = {
  pairs: PAIRS,
  from: null,
  to: null,
  source: null,
  dryRun: false,
}

interface Filled {
  archive: string
  summary: PairSummary
  findings: readonly Finding[]
}

/** A series that could not be fetched. The archives after it wait. */
export interface Failure {
  pair: Pair
  archive: string
  reason: string
}

export interface Outcome {
  filled: Filled[]
  failures: Failure[]
  /** Pairs whose whole past is there. */
  complete: Pair[]
}

interface Run {
  deps: BackfillDeps
  options: BackfillOptions
  outcome: Outcome
}

/** Dollars come first, in catalogue order: crosses need them. */
export async function backfill(deps: BackfillDeps, options: BackfillOptions): Promise<Outcome> {
  const outcome: Outcome = { filled: [], failures: [], complete: [] }
  for (const pair of options.pairs) await fill({ deps, options, outcome }, pair)
  return outcome
}

async function fill(run: Run, pair: Pair): Promise<void> {
  const { deps, options, outcome } = run
  for (const [index, served] of servedOf(pair, options).entries()) {
    deps.signal?.throwIfAborted()
    const { holes, owned } = await holesIn(deps, pair, served, options, index === 0)
    if (holes.length === 0) {
      if (index === 0) outcome.complete.push(pair)
      continue
    }
    const rows = await fetchRows(run, pair, served, holes)
    if ('reason' in rows) {
      // A later archive would fill the days of this one, and its values would stay.
      outcome.failures.push(rows)
      return
    }
    await importRows(run, rows, { pair, served, holes, owned })
  }
}

async function fetchRows(
  { deps, options }: Run,
  pair: Pair,
  served: Served,
  holes: readonly Hole[],
): Promise<ArchiveRow[] | Failure> {
  const { archive, key } = served
  const rows = []
  try {
    for (const address of addressesOf(served, holes)) {
      const share = options.pairs.indexOf(pair) / options.pairs.length
      deps.onProgress(share, `${archive.name} ${pairKey(pair)}`)
      rows.push(...archive.read(await deps.documents.get(address), key))
    }
  } catch (error) {
    if (!(error instanceof DocumentError || error instanceof SourceError)) throw error
    const reason = error instanceof SourceError ? `${archive.name} ${error.message}` : error.message
    return { pair, archive: archive.name, reason }
  }
  return rows
}

async function importRows(
  { deps, options, outcome }: Run,
  rows: readonly ArchiveRow[],
  { pair, served, holes, owned }: { pair: Pair; served: Served; holes: Hole[]; owned: Owned },
): Promise<void> {
  const { archive, key, cross } = served
  const series = readSeries(rows, {
    pair,
    served,
    holes,
    daily: owned.coverage.daily,
    leg: cross ? await readLeg(deps.db, findPairByKey(cross.leg)!) : () => null,
    now: deps.now(),
  })
  if (series.read === 0) {
    outcome.complete.push(pair)
    return
  }
  const format = { source: archive.source(key), kind: 'daily' } as const
  const { summary, findings } = await importSeries(deps.db, format, series, options)
  outcome.filled.push({ archive: archive.name, summary, findings })
}

/** The archives of a pair that this run may ask. The first one wins. */
function servedOf(pair: Pair, { source }: BackfillOptions): readonly Served[] {
  const all = SERVED[pairKey(pair)] ?? []
  return all.filter(({ archive }) => source === null || archive.name === source)
}

async function holesIn(
  { db, now }: BackfillDeps,
  pair: Pair,
  served: Served,
  { from, to }: BackfillOptions,
  isFirst: boolean,
): Promise<{ holes: Hole[]; owned: Owned }> {
  const owned = await readOwned(db, pair)
  const last = lastDay(pair, Math.min(now(), owned.liveFrom ?? Infinity))
  const holes = holesOf(
    union(owned.coverage.daily, owned.coverage.timed),
    latest(served.from, from),
    earliest(last, to),
  )
  return { holes: isFirst ? holes : longHoles(holes), owned }
}

function lastDay(pair: Pair, at: Instant): Day {
  const day = argentineDay(at)
  return closeOf(pair, day) <= at ? day : addDays(day, -1)
}

function addressesOf({ archive, key }: Served, holes: readonly Hole[]): string[] {
  const addresses = stretchesOf(holes).flatMap(({ from, to }) => archive.addresses(key, from, to))
  return [...new Set(addresses)]
}

const latest = (one: Day, other: Day | null) => (other !== null && other > one ? other : one)
const earliest = (one: Day, other: Day | null) => (other !== null && other < one ? other : one)

export function filledLines(filled: readonly Filled[]): string[] {
  return [...Map.groupBy(filled, ({ archive }) => archive)].flatMap(([archive, of]) => {
    const summaries = of.map(({ summary }) => summary)
    const found = of.flatMap(({ summary, findings }) =>
      findings.map((finding) => ({ pair: summary.pair, finding })),
    )
    return [
      `${archive}:`,
      ...summaryTable(summaries).map((line) => `  ${line}`),
      ...skippedLines(summaries),
      ...findingLines(found),
    ]
  })
}

/** `api.bcra.gob.ar answered 503: USD/MAYORISTA and ARG/CER wait for another run`, one a reason. */
export function failureLines(failures: readonly Failure[]): string[] {
  return [...Map.groupBy(failures, ({ reason }) => reason)].map(([reason, of]) => {
    const pairs = of.map(({ pair, archive }) => `${pairKey(pair)} (${archive})`)
    return `${reason}: ${pairs.join(', ')} left for another run`
  })
}

export function pointsMade(filled: readonly Filled[]): number {
  return filled.reduce((all, { summary }) => all + summary.made, 0)
}
