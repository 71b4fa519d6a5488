import { argentineDay, dayStart } from '../../../shared/argentine-time.ts'
import type { Format } from './formats.ts'
import { merge, type Stored } from './merge.ts'
import { between } from './ranges.ts'
import { increment, type Series } from './read-file.ts'
import type { PairSummary } from './report.ts'
import { countChanges, readStored } from './stored.ts'
import { type Finding, findSuspicious } from './suspicion.ts'
import { writeMerged } from './write.ts'

export interface ImportOptions {
  dryRun: boolean
  /** Rows that are merged and written by one batch. */
  chunkSize: number
}

/**
 * Imports the rows of one pair, and reports what changed and what looked wrong. So many rows at a time
 * are an import of their own, forward in time: one that was cut short is simply done again.
 */
export async function importSeries(
  db: D1Database,
  { source, kind }: Pick<Format, 'source' | 'kind'>,
  series: Series,
  { dryRun, chunkSize }: ImportOptions,
): Promise<{ summary: PairSummary; findings: Finding[] }> {
  const { pair, read, skipped } = series
  const findings = findSuspicious(series.rows)

  const stored = await readStored(db, pair)
  const live = stored.liveFrom ?? Infinity
  const rows = series.rows.filter(({ at }) => at < live)
  increment(skipped, 'recorded live by then', series.rows.length - rows.length)

  const counts = { unchanged: 0, beaten: 0, conflicts: 0 }
  let done: Stored = stored
  let from = -Infinity
  for (let index = 0; index === 0 || index < rows.length; index += chunkSize) {
    const next = rows[index + chunkSize]?.at
    const until = next === undefined ? live : kind === 'daily' ? dayStart(argentineDay(next)) : next
    const merged = merge(done, {
      pair,
      kind,
      source,
      rows: rows.slice(index, index + chunkSize),
      coverage: between(series.coverage, from, until - 1),
    })
    if (!dryRun) await writeMerged(db, pair, kind, done, merged, next === undefined)
    for (const name of ['unchanged', 'beaten', 'conflicts'] as const)
      counts[name] += merged.counts[name]
    done = { ...merged, liveFrom: stored.liveFrom }
    from = until
  }

  const [first, last] = [series.rows[0], series.rows.at(-1)]
  const range = first && last ? ([first.at, last.at] as const) : null
  const reasons = new Map([...skipped].filter(([, count]) => count > 0))
  const { made, removed } = countChanges(stored, done.points)
  return { summary: { pair, read, made, removed, ...counts, skipped: reasons, range }, findings }
}
