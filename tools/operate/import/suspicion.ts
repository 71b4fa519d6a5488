import { DAY_MS, type Instant } from '../../../shared/argentine-time.ts'
import type { QuotedPoint } from '../../../shared/market/price.ts'

/** Consecutive rows with the same value. */
interface Run {
  /** The first row. */
  row: QuotedPoint
  rows: number
  /** When the next value came. Null when the series ends with this value. */
  until: Instant | null
}

export interface Finding extends Run {
  /** The last plausible value before the run. */
  before: QuotedPoint | null
}

/** A value is far from the previous value if it differs by a larger share. */
const FAR = 0.15

/** A far value is suspicious if values return near the previous value within this time. */
const BACK_MS = 14 * DAY_MS

/**
 * Finds suspicious values in a series sorted by time: a buy above its sell, and a value far from
 * the previous value that does not last or is the last of the series.
 */
export function findSuspicious(rows: readonly QuotedPoint[]): Finding[] {
  const runs = runsOf(rows)
  const findings: Finding[] = []
  let plausible: QuotedPoint | null = null

  for (const [index, run] of runs.entries()) {
    const before: QuotedPoint | null = plausible
    const isDoubted =
      before !== null && isFar(run.row, before) && !lasts(run, runs.slice(index + 1), before)
    if (isDoubted || run.row.buy > run.row.sell) findings.push({ ...run, before })
    if (!isDoubted) plausible = run.row
  }
  return findings
}

function runsOf(rows: readonly QuotedPoint[]): Run[] {
  const runs: Run[] = []
  for (const row of rows) {
    const last = runs.at(-1)
    if (last?.row.buy === row.buy && last.row.sell === row.sell) last.rows++
    else {
      if (last) last.until = row.at
      runs.push({ row, rows: 1, until: null })
    }
  }
  return runs
}

function isFar(one: QuotedPoint, other: QuotedPoint): boolean {
  return [one.buy / other.buy, one.sell / other.sell].some((ratio) => Math.abs(ratio - 1) > FAR)
}

function lasts({ until }: Run, later: readonly Run[], before: QuotedPoint): boolean {
  if (until === null) return false
  const soon = later.filter(({ row }) => row.at <= until + BACK_MS)
  return soon.length > 0 && soon.every(({ row }) => isFar(row, before))
}
