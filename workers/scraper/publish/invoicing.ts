import type { Instant } from '../../../shared/argentine-time.ts'
import type { CycleSummary } from '../../../shared/db/quotes/cycle-record.ts'
import {
  invoicingConfirmed,
  invoicingStatements,
} from '../../../shared/db/quotes/invoicing-tables.ts'
import type { SourceResult } from '../collect/collect.ts'
import type { Reading } from '../sources/source.ts'

const SOURCE = 'bna-divisas'

/**
 * What a cycle writes of the wholesale table that it read: nothing when the last cycle had the same
 * table, one row when only its hour changed. `wholesale` goes into the cycle's summary.
 */
export function invoicingOf(
  db: D1Database,
  last: CycleSummary | null,
  results: readonly SourceResult[],
  at: Instant,
): { wholesale: CycleSummary['wholesale']; statements: D1PreparedStatement[] } {
  const known = last?.wholesale
  const table = results
    .flatMap((result): readonly Reading[] => (result.ok ? result.readings : []))
    .find((reading) => reading.kind === 'wholesale')
  if (!table || table.rates.length === 0) return { wholesale: known, statements: [] }

  const { day, publishedAt, rates } = table
  const wholesale = { day, rates: JSON.stringify(rates), publishedAt }
  if (known?.day !== day || known.rates !== wholesale.rates) {
    return { wholesale, statements: invoicingStatements(db, { ...table, source: SOURCE }, at) }
  }
  const moved = publishedAt !== known.publishedAt
  return { wholesale, statements: moved ? [invoicingConfirmed(db, { day, publishedAt }, at)] : [] }
}
