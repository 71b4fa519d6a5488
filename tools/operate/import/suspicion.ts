/**
 * Finds implausible rows of a series. It follows the scraper's guard, but sees the whole series.
 * Pure.
 */
import { DAY_MS, type Instant } from '../../../shared/argentine-time.ts'
import type { QuotedPoint } from '../../../shared/market/quoted-point.ts'

export type Fault = 'inverted' | '0 or 1' | 'power of ten' | 'jump'

export interface Finding {
  /** The first row of the fault; rows with the same value after it belong to it. */
  row: QuotedPoint
  faults: Fault[]
  /** The last plausible value before it. */
  before: QuotedPoint | null
  /** How many rows in a row say this. */
  rows: number
  /** When another value came; null when the series ends with this one. */
  until: Instant | null
}

/** A larger move against the last plausible value is a jump. */
const JUMP = 0.15

/** How near to ×10, ×100… a move must come to look like a lost decimal separator. */
const POWER_TOLERANCE = 0.05

/** A value older than this is no baseline for a jump (decision 55: held values). */
const BASELINE_MS = 7 * DAY_MS

/** Rows that must agree with a jump for it to have held. */
const CONFIRMATIONS = 3

/** A lost separator or a 1 stays wrong however often it repeats, but not for longer than this. */
const BELIEVED_AFTER_MS = 30 * DAY_MS

/** At or below this, in ten-thousandths, a value is like 0 or 1 … */
const ONE = 10_000
/** … for a pair that was above this. */
const TEN = 100_000

/** What is suspicious in a series, in order of time; a large move that later rows confirm is not. */
export function findSuspicious(rows: readonly QuotedPoint[]): Finding[] {
  const findings: Finding[] = []
  let plausible: QuotedPoint | null = null
  let doubtedSince: Instant | null = null

  for (const [index, row] of rows.entries()) {
    const moved = plausible ? movesOf(row, plausible) : []
    const isJump =
      plausible !== null && moved.length > 0 && moved.every((fault) => fault === 'jump')
    const held = isJump && (holds(rows, index) || isConfirmed(rows, index, plausible!))
    const believed = doubtedSince !== null && row.at - doubtedSince > BELIEVED_AFTER_MS

    const doubted = held ? [] : moved
    const faults: Fault[] = row.buy > row.sell ? [...doubted, 'inverted'] : doubted
    const previous = findings.at(-1)
    if (previous?.until === null) {
      if (isSame(previous.row, row)) previous.rows++
      else previous.until = row.at
    }
    if (faults.length > 0 && (previous?.until !== null || !isSame(previous.row, row))) {
      findings.push({
        row,
        faults,
        before: plausible,
        rows: 1,
        until: null,
      })
    }
    if (moved.length === 0 || held || believed) {
      plausible = row
      doubtedSince = null
    } else {
      doubtedSince ??= row.at
    }
  }
  return findings
}

function movesOf(row: QuotedPoint, plausible: QuotedPoint): Fault[] {
  const sides = [
    { value: row.buy, before: plausible.buy },
    { value: row.sell, before: plausible.sell },
  ]
  if (sides.some(({ value, before }) => value <= ONE && before > TEN)) return ['0 or 1']
  if (sides.some(({ value, before }) => isPowerOfTen(value / before))) return ['power of ten']

  const fresh = row.at - plausible.at <= BASELINE_MS
  const far = sides.some(({ value, before }) => Math.abs(value / before - 1) > JUMP)
  return fresh && far ? ['jump'] : []
}

function isPowerOfTen(ratio: number): boolean {
  const power = Math.round(Math.log10(ratio))
  return power !== 0 && Math.abs(ratio / 10 ** power - 1) <= POWER_TOLERANCE
}

/**
 * Whether the next different value stays near a jump or goes further in the same direction. A
 * market may move in two steps.
 */
function isConfirmed(rows: readonly QuotedPoint[], index: number, before: QuotedPoint): boolean {
  const row = rows[index]!
  let after = index + 1
  while (after < rows.length && isSame(rows[after]!, row)) after++
  const next = rows[after]

  return (
    next !== undefined &&
    goesOn(before.buy, row.buy, next.buy) &&
    goesOn(before.sell, row.sell, next.sell)
  )
}

function goesOn(before: number, value: number, next: number): boolean {
  return near(next, value) || (value > before ? next > value : next < value)
}

/** Whether the rows after a jump stay near it. */
function holds(rows: readonly QuotedPoint[], index: number): boolean {
  const row = rows[index]!
  const after = rows.slice(index + 1, index + 1 + CONFIRMATIONS)
  return (
    after.length > 0 && after.every(({ buy, sell }) => near(buy, row.buy) && near(sell, row.sell))
  )
}

function isSame(a: QuotedPoint, b: QuotedPoint): boolean {
  return a.buy === b.buy && a.sell === b.sell
}

function near(a: number, b: number): boolean {
  return Math.abs(a / b - 1) <= JUMP
}
