import { sum } from 'simple-statistics'
import type { Instant } from '../../../shared/argentine-time.ts'
import { type Pair, PAIRS } from '../../../shared/market/catalog.ts'
import type { QuotedPoint } from '../../../shared/market/price.ts'
import { type Format, readRow, TO_DOLLARS } from './formats.ts'
import { type FileRecord, ROW } from './records.ts'

const TWICE = 'twice'
/** Reasons to leave out a row without losing data, because another row or file has the data. */
const HARMLESS = new Set([TWICE, TO_DOLLARS])

/** The numbers of the left-out rows of a file, by reason. */
export type LeftOut = Map<string, number[]>

export function leaveOut(leftOut: LeftOut, reason: string, { [ROW]: row = 0 }: FileRecord): void {
  const rows = leftOut.get(reason)
  if (rows) rows.push(row)
  else leftOut.set(reason, [row])
}

/** The number of left-out rows whose data is lost. */
export function lost(leftOut: LeftOut): number {
  return sum([...leftOut].map(([reason, { length }]) => (HARMLESS.has(reason) ? 0 : length)))
}

/** At most this many row numbers are shown for one reason. */
const SHOWN_ROWS = 10

/** `3 × zero (rows 5, 8, 9), 1 × no value (row 7)` */
export function reasons(leftOut: LeftOut): string {
  const parts = [...leftOut].map(([reason, rows]) => {
    const shown = rows.slice(0, SHOWN_ROWS).join(', ')
    const more = rows.length > SHOWN_ROWS ? ', …' : ''
    return `${rows.length} × ${reason} (row${rows.length === 1 ? '' : 's'} ${shown}${more})`
  })
  return parts.join(', ')
}

/** The rows of one pair, sorted by time, one per instant. */
export interface Series {
  pair: Pair
  rows: readonly QuotedPoint[]
}

/** Reads the rows of a file in its format, in any order. */
export function readFile(records: readonly FileRecord[], format: Format, now: Instant) {
  const leftOut: LeftOut = new Map()
  const byPair = new Map<Pair, Map<Instant, QuotedPoint>>(PAIRS.map((pair) => [pair, new Map()]))

  for (const record of records) {
    const read = readRow(format, record, now)
    if (typeof read === 'string') {
      leaveOut(leftOut, read, record)
      continue
    }
    const { pair, ...row } = read
    const rows = byPair.get(pair)!
    const first = rows.get(row.at)
    if (!first) rows.set(row.at, row)
    else {
      const isSame = first.buy === row.buy && first.sell === row.sell
      leaveOut(leftOut, isSame ? TWICE : 'twice, with different values', record)
    }
  }
  const series = [...byPair].flatMap(([pair, rows]): Series[] =>
    rows.size > 0 ? [{ pair, rows: [...rows.values()].toSorted((a, b) => a.at - b.at) }] : [],
  )
  return { series, leftOut }
}
