import { sum } from 'simple-statistics'
import { argentineDay, formatArgentine } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import { type QuotedPoint, priceToNumber } from '../../../shared/market/price.ts'
import { columns } from '../../support/table.ts'
import type { Finding } from './suspicion.ts'

/** The counts of an import of a pair, with their column headings. */
const COUNTS = {
  rows: 'rows',
  /** Inserted points, and stored points that were deleted as unnecessary. */
  made: 'points made',
  removed: 'removed',
  /** Rows that only repeat the value before them. */
  unchanged: 'unchanged',
  /** Rows in the time of live recording. */
  live: 'live wins',
  /** Daily closes of days that hourly data covers. */
  beaten: 'hourly wins',
  /** Rows that contradict an earlier import or a correction. */
  conflicts: 'conflicts',
}

export interface PairSummary extends Record<keyof typeof COUNTS, number> {
  pair: Pair
  range: readonly [first: number, last: number]
  /** Values that look wrong and were imported unchanged. */
  findings: readonly Finding[]
}

/** A table of the counts of each pair, then the rows that look wrong. */
export function summaryLines(summaries: readonly PairSummary[]): string[] {
  const names = Object.keys(COUNTS) as (keyof typeof COUNTS)[]
  const rows = summaries.map((of) => [
    pairKey(of.pair),
    ...names.map((name) => String(of[name])),
    ...of.range.map(argentineDay),
  ])
  const sums = names.map((name) => String(sum(summaries.map((of) => of[name]))))
  const found = summaries.flatMap(({ pair, findings }) =>
    findings.map((finding) => findingLine(pair, finding)),
  )
  return [
    ...columns([
      ['pair', ...Object.values(COUNTS), 'from', 'to'],
      ...rows,
      ['total', ...sums, '', ''],
    ]),
    ...(found.length > 0 ? [`suspicious, imported as they are (${found.length}):`, ...found] : []),
  ].map((line) => `  ${line}`)
}

/** `2024-02-09T11:09:51.000-03:00 USD/BLUE 1130 / 115 after 1130 / 1145: 1 row, until …` */
function findingLine(pair: Pair, finding: Finding): string {
  const { row, before, rows, until } = finding
  const after = before ? ` after ${priced(before)}` : ''
  const lasted = until === null ? 'to the end' : `until ${formatArgentine(until)}`
  const count = `${rows} row${rows === 1 ? '' : 's'}`
  return `${formatArgentine(row.at)} ${pairKey(pair)} ${priced(row)}${after}: ${count}, ${lasted}`
}

function priced({ buy, sell }: QuotedPoint): string {
  return `${priceToNumber(buy)} / ${priceToNumber(sell)}`
}
