import type { Day, Instant } from '../../../shared/argentine-time.ts'
import { compareWithArchive } from '../../../shared/market/holidays.ts'
import type { CycleSummary } from '../../../shared/db/quotes/cycle-record.ts'
import { invoicingStatements } from '../../../shared/db/quotes/invoicing-tables.ts'
import type { SourceResult } from '../collect/collect.ts'
import type { Reading } from '../sources/source.ts'

const SOURCE = 'bna-divisas'

function readingsOf(results: readonly SourceResult[]): Reading[] {
  return results.flatMap((result) => (result.ok ? result.readings : []))
}

/** What the archive of holidays says, with what it said before of other years. */
export function archiveOf(
  last: CycleSummary | null,
  results: readonly SourceResult[],
): CycleSummary['archive'] {
  const known = last?.archive
  const read = readingsOf(results).find((reading) => reading.kind === 'holidays')
  if (!read) return known

  const { year, days } = read
  const found = compareWithArchive(year, days)
  const isOther = (day: Day) => Math.abs(Number(day.slice(0, 4)) - year) === 1
  return {
    decreed: [...(known?.decreed ?? []).filter(({ day }) => isOther(day)), ...found.decreed],
    lacking: [...(known?.lacking ?? []).filter(isOther), ...found.lacking],
  }
}

/**
 * What a cycle writes of the wholesale table that it read: nothing when the last cycle had the same
 * table. `wholesale` goes into the cycle's summary.
 */
export function invoicingOf(
  db: D1Database,
  last: CycleSummary | null,
  results: readonly SourceResult[],
  at: Instant,
): { wholesale: CycleSummary['wholesale']; statements: D1PreparedStatement[] } {
  const known = last?.wholesale
  const table = readingsOf(results).find((reading) => reading.kind === 'wholesale')
  if (!table || table.rates.length === 0) return { wholesale: known, statements: [] }

  const { day, publishedAt, rates } = table
  const wholesale = { day, rates: JSON.stringify(rates), publishedAt }
  const isKnown =
    known?.day === day && known.rates === wholesale.rates && known.publishedAt === publishedAt
  const statements = isKnown ? [] : invoicingStatements(db, { ...table, source: SOURCE }, at)
  return { wholesale, statements }
}
