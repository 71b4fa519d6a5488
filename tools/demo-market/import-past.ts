import type { Instant } from '../../shared/argentine-time.ts'
import { importSeries } from '../import/import-series.ts'
import { bridged, dayRanges } from '../import/ranges.ts'
import { LOCAL_CHUNK } from '../import/write.ts'
import type { MarketOptions } from './market.ts'
import { type PairRows, pastDays, pastWeek, RECENT_MS } from './past.ts'

/** What the points of the demo market's past have in `points.source`. */
const DAYS = { source: 'import:demo-days', kind: 'daily' } as const
const WEEK = { source: 'import:demo-week', kind: 'timed' } as const

/**
 * Gives a state the demo market's past, by the import's rules: the week first, which is seen first.
 * Returns how many points were made.
 */
export async function importPast(
  db: D1Database,
  now: Instant,
  options: MarketOptions,
  signal?: AbortSignal,
): Promise<number> {
  const { days, rows } = pastDays(now, options)
  const week = pastWeek(now, options)
  let made = 0

  async function take(
    format: typeof DAYS | typeof WEEK,
    series: PairRows,
    coverageOf: (instants: Instant[]) => (readonly [Instant, Instant])[],
  ) {
    for (const [pair, of] of series) {
      signal?.throwIfAborted()
      const coverage = coverageOf(of.map(({ at }) => at))
      const { summary } = await importSeries(
        db,
        format,
        { pair, rows: of, coverage, read: of.length, skipped: new Map() },
        { dropSuspicious: false, dryRun: false, chunkSize: LOCAL_CHUNK },
      )
      made += summary.made
    }
  }
  await take(WEEK, week, (instants) => bridged(instants[0]!, instants.at(-1)!, instants, RECENT_MS))
  await take(DAYS, rows, () => dayRanges(days))
  return made
}
