import { argentineDay, DAY_MS, type Instant } from '../../../shared/argentine-time.ts'
import { type Pair, PAIRS } from '../../../shared/market/catalog.ts'
import type { QuotedPoint } from '../../../shared/market/price.ts'
import { type Format, hourly, readRow, TO_DOLLARS } from './formats.ts'
import { type FileRecord, ROW } from './records.ts'
import { dayRanges, type Range, union } from './ranges.ts'

const TWICE = 'twice'
export const RECORDED = 'recorded live by then'
/** Reasons to leave a row out without a loss of data. */
const HARMLESS = new Set([TWICE, RECORDED, TO_DOLLARS])

/** The number of left-out rows whose data no other row has. */
export function lost(leftOut: LeftOut): number {
  return [...leftOut].reduce(
    (all, [reason, { length }]) => all + (HARMLESS.has(reason) ? 0 : length),
    0,
  )
}

/** If no pair of a `timed` file has a row for longer than this, that time is not covered. */
const LONGEST_SILENCE = 7 * DAY_MS

/** The numbers of the left-out rows, by reason. A row without a number counts as 0. */
export type LeftOut = Map<string, number[]>

type FilePoint = QuotedPoint & { row?: number | undefined }

export interface Series {
  pair: Pair
  /** Ordered by time, one row per instant. */
  rows: FilePoint[]
  coverage: Range[]
  /** How many rows of the pair the file has, and which of them are left out. */
  read: number
  skipped: LeftOut
}

/**
 * Reads a file in its format. Rows may come in any order, so they are kept as numbers until the
 * file ends: some 50 MB for a million.
 */
export async function readFile(
  rows: AsyncIterable<FileRecord> | Iterable<FileRecord>,
  format: Format,
  now: Instant,
) {
  const series = new Map<Pair, Series>()
  /** Rows that belong to no pair of the catalogue, by reason. */
  const strangers: LeftOut = new Map()
  let count = 0

  for await (const record of rows) {
    count++
    const result = readRow(format, record)
    const row = record[ROW]
    if (!result.pair) {
      leaveOut(strangers, 'skipped' in result ? result.skipped : '', row)
      continue
    }
    const of = seriesOf(series, result.pair)
    of.read++
    if ('skipped' in result) leaveOut(of.skipped, result.skipped, row)
    else if (result.at > now) leaveOut(of.skipped, 'in the future', row)
    else of.rows.push({ at: result.at, buy: result.buy, sell: result.sell, row })
  }
  if (format.source === hourly.source) leaveDollarsToTheirFile(series)

  const inOrder = PAIRS.flatMap((pair) => series.get(pair) ?? [])
  for (const each of inOrder) sortRows(each)
  const inFile = new Set(inOrder.flatMap(({ rows }) => rows.map(({ at }) => at)))
  const heard = union(
    [...inFile].map((at): Range => [at, at]),
    LONGEST_SILENCE,
  )
  for (const each of inOrder) each.coverage = coverageOf(each.rows, format.kind, heard)
  return { series: inOrder, strangers, read: count }
}

function seriesOf(series: Map<Pair, Series>, pair: Pair): Series {
  let of = series.get(pair)
  if (!of) series.set(pair, (of = { pair, rows: [], coverage: [], read: 0, skipped: new Map() }))
  return of
}

/**
 * A file of observations in several currencies repeats USD/OFICIAL of the dollar file. Its rows are
 * left out, as in the daily files (decision 56: files that overlap).
 */
function leaveDollarsToTheirFile(series: Map<Pair, Series>): void {
  const dollars = [...series.values()].filter(({ pair }) => pair.currency === 'USD')
  const only = dollars.length === 1 && dollars[0]!.pair.origin === 'OFICIAL'
  if (!only || series.size === 1) return

  for (const { row } of dollars[0]!.rows) leaveOut(dollars[0]!.skipped, TO_DOLLARS, row)
  dollars[0]!.rows = []
}

/** Keeps the first of several rows at one instant; the others are counted as left out. */
function sortRows(series: Series): void {
  const rows: FilePoint[] = []
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
  const [first, last] = [rows[0]?.at ?? Infinity, rows.at(-1)?.at ?? -Infinity]
  return heard
    .map(([from, to]): Range => [Math.max(from, first), Math.min(to, last)])
    .filter(([from, to]) => from <= to)
}

export function leaveOut(leftOut: LeftOut, reason: string, row = 0): void {
  const rows = leftOut.get(reason)
  if (rows) rows.push(row)
  else leftOut.set(reason, [row])
}
