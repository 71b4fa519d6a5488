import { sum } from 'simple-statistics'
import { argentineDay, formatArgentine } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import { type QuotedPoint, priceToNumber } from '../../../shared/market/price.ts'
import { columns } from '../../support/table.ts'
import type { LeftOut } from './read-file.ts'
import type { Finding } from './suspicion.ts'

export interface PairSummary {
  pair: Pair
  read: number
  /** Inserted points, and stored points that were deleted as unnecessary. */
  made: number
  removed: number
  /** Rows that only repeat the value in effect. */
  unchanged: number
  /** Daily closes of days that hourly data covers. */
  beaten: number
  /** Rows that contradict an earlier import or a correction. */
  conflicts: number
  skipped: LeftOut
  range: readonly [first: number, last: number] | null
  /** Values that look wrong and were imported unchanged. */
  findings: readonly Finding[]
}

const COUNTS: readonly (readonly [head: string, count: (of: PairSummary) => number])[] = [
  ['rows', ({ read }) => read],
  ['points made', ({ made }) => made],
  ['removed', ({ removed }) => removed],
  ['unchanged', ({ unchanged }) => unchanged],
  ['hourly wins', ({ beaten }) => beaten],
  ['conflicts', ({ conflicts }) => conflicts],
  ['skipped', ({ skipped }) => sum([...skipped.values()].map(({ length }) => length))],
]

/** A table of the rows of each pair, then the rows that were left out and those that look wrong. */
export function summaryLines(summaries: readonly PairSummary[]): string[] {
  const rows = summaries.map((of) => [
    pairKey(of.pair),
    ...COUNTS.map(([, count]) => String(count(of))),
    ...(of.range?.map(argentineDay) ?? ['', '']),
  ])
  const sums = COUNTS.map(([, count]) => String(sum(summaries.map(count))))
  const heads = ['pair', ...COUNTS.map(([head]) => head), 'from', 'to']
  const skipped = summaries.filter((of) => of.skipped.size > 0)
  const found = summaries.flatMap(({ pair, findings }) =>
    findings.map((finding) => findingLine(pair, finding)),
  )
  return [
    ...columns([heads, ...rows, ['total', ...sums, '', '']]),
    ...skipped.map((of) => `${pairKey(of.pair)} skipped: ${reasons(of.skipped)}`),
    ...(found.length > 0 ? [`suspicious, imported as they are (${found.length}):`, ...found] : []),
  ].map((line) => `  ${line}`)
}

/** The most row numbers shown for one reason. */
const SHOWN_ROWS = 10

/** `3 × zero (rows 5, 8, 9), 1 × no value (row 7)` */
export function reasons(leftOut: LeftOut): string {
  return [...leftOut]
    .map(([reason, rows]) => `${rows.length} × ${reason}${rowsIn(rows)}`)
    .join(', ')
}

function rowsIn(rows: readonly number[]): string {
  const known = rows.filter((row) => row > 0)
  if (known.length === 0) return ''
  const more = known.length > SHOWN_ROWS ? ', …' : ''
  return ` (row${known.length === 1 ? '' : 's'} ${known.slice(0, SHOWN_ROWS).join(', ')}${more})`
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
