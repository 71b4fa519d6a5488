import type { Instant } from '../../../shared/argentine-time.ts'
import type { Format } from './formats.ts'
import { merge } from './merge.ts'
import { leaveOut, RECORDED, type Series } from './read-file.ts'
import type { PairSummary } from './report.ts'
import { readStored } from './stored.ts'
import { findSuspicious } from './suspicion.ts'
import { writeMerged } from './write.ts'

/** Imports the rows of one pair, and reports what changed and what looked wrong. */
export async function importSeries(
  db: D1Database,
  { source, kind }: Pick<Format, 'source' | 'kind'>,
  series: Series,
  { dryRun }: { dryRun: boolean },
): Promise<PairSummary> {
  const { pair, coverage, read, skipped } = series
  const stored = await readStored(db, pair)
  const live = stored.liveFrom ?? Infinity
  const rows = series.rows.filter(({ at }) => at < live)
  for (const { at, row } of series.rows) if (at >= live) leaveOut(skipped, RECORDED, row)

  const merged = merge(stored, { pair, kind, source, rows, coverage: before(coverage, live) })
  const [made, removed] = [merged.made.length, merged.removed.length]
  const isSame = String(merged.coverage) === String(stored.coverage[kind])
  const isKnown = made + removed === 0 && !merged.join && isSame
  if (!dryRun && !isKnown) await writeMerged(db, pair, { source, kind }, merged)

  const [first, last] = [series.rows[0], series.rows.at(-1)]
  const range = first && last ? ([first.at, last.at] as const) : null
  const findings = findSuspicious(series.rows)
  return { pair, read, made, removed, ...merged.counts, skipped, range, findings }
}

/** Coverage without the time of live recording. */
function before(coverage: Series['coverage'], live: Instant): Series['coverage'] {
  return coverage
    .filter(([from]) => from < live)
    .map(([from, to]) => [from, Math.min(to, live - 1)] as const)
}
