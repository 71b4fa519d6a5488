import { sum } from 'simple-statistics'
import { argentineDay, DAY_MS, type Instant } from '../../../shared/argentine-time.ts'
import { type Pair, PAIRS } from '../../../shared/market/catalog.ts'
import type { QuotedPoint } from '../../../shared/market/price.ts'
import { type Format, readRow } from './formats.ts'
import { type FileRecord, ROW } from './records.ts'
import { dayRanges, type Range, union, within } from './ranges.ts'

const TWICE = 'twice'
export const RECORDED = 'recorded live by then'
const TO_DOLLARS = 'USD is left to the dollar file'
/** Reasons to leave a row out without a loss of data. */
const HARMLESS = new Set([TWICE, RECORDED, TO_DOLLARS])

/** The numbers of the left-out rows, by reason. A row without a number counts as 0. */
export type LeftOut = Map<string, number[]>

export function leaveOut(leftOut: LeftOut, reason: string, row = 0): void {
  const rows = leftOut.get(reason)
  if (rows) rows.push(row)
  else leftOut.set(reason, [row])
}

/** The number of left-out rows whose data no other row has. */
export function lost(leftOut: LeftOut): number {
  return sum([...leftOut].map(([reason, { length }]) => (HARMLESS.has(reason) ? 0 : length)))
}

/** If no pair of a `timed` file has a row for longer than this, that time is not covered. */
const LONGEST_SILENCE = 7 * DAY_MS

export interface Series {
  pair: Pair
  /** Ordered by time, one row per instant. */
  rows: (QuotedPoint & { row?: number | undefined })[]
  coverage: Range[]
  /** How many rows of the pair the file has, and which of them are left out. */
  read: number
  skipped: LeftOut
}

/** Reads the rows of a file in its format, in any order. */
export function readFile(rows: readonly FileRecord[], format: Format, now: Instant) {
  const series = new Map<Pair, Series>()
  /** Rows that belong to no pair of the catalogue, by reason. */
  const strangers: LeftOut = new Map()

  for (const record of rows) {
    const result = readRow(format, record)
    const row = record[ROW]
    if (!result.pair) {
      leaveOut(strangers, 'skipped' in result ? result.skipped : '', row)
      continue
    }
    const { pair } = result
    const of: Series = series.get(pair) ?? {
      pair,
      rows: [],
      coverage: [],
      read: 0,
      skipped: new Map(),
    }
    series.set(pair, of)
    of.read++
    if ('skipped' in result) leaveOut(of.skipped, result.skipped, row)
    else if (result.at > now) leaveOut(of.skipped, 'in the future', row)
    else of.rows.push({ at: result.at, buy: result.buy, sell: result.sell, row })
  }
  if (format.mayRepeatDollars) leaveDollarsToTheirFile([...series.values()])

  const inOrder = PAIRS.flatMap((pair) => series.get(pair) ?? [])
  for (const each of inOrder) sortRows(each)
  const instants = new Set(inOrder.flatMap((each) => each.rows.map(({ at }) => at)))
  const heard = union(
    [...instants].map((at): Range => [at, at]),
    LONGEST_SILENCE,
  )
  for (const each of inOrder) each.coverage = coverageOf(each.rows, format.kind, heard)
  return { series: inOrder, strangers }
}

/**
 * A file of several currencies repeats USD/OFICIAL of the dollar file. Its rows are left out
 * (decision 56: files that overlap).
 */
function leaveDollarsToTheirFile(series: readonly Series[]): void {
  const [dollar, another] = series.filter(({ pair }) => pair.currency === 'USD')
  if (dollar?.pair.origin !== 'OFICIAL' || another || series.length === 1) return

  for (const { row } of dollar.rows.splice(0)) leaveOut(dollar.skipped, TO_DOLLARS, row)
}

/** Keeps the first of several rows at one instant; the others are counted as left out. */
function sortRows(series: Series): void {
  const rows: Series['rows'] = []
  for (const row of series.rows.toSorted((a, b) => a.at - b.at)) {
    const last = rows.at(-1)
    if (last?.at !== row.at) rows.push(row)
    else if (last.buy === row.buy && last.sell === row.sell)
      leaveOut(series.skipped, TWICE, row.row)
    else leaveOut(series.skipped, 'twice, with different values', row.row)
  }
  series.rows = rows
}

/** Observations cover the time from the pair's first row to its last, without long silences. */
function coverageOf(
  rows: readonly QuotedPoint[],
  kind: Format['kind'],
  heard: readonly Range[],
): Range[] {
  if (kind === 'daily') return dayRanges(rows.map(({ at }) => argentineDay(at)))
  return within(heard, rows[0]?.at ?? Infinity, rows.at(-1)?.at ?? -Infinity)
}
