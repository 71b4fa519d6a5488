/**
 * Merges imported rows of one pair with the stored points. Pure functions. The rule:
 *
 * Every instant of the past has one owner: live recording from its first point on, else the first
 * `timed` import that covers the instant, else the first `daily` import that covers its day. A
 * `timed` import owns every day that it touches. The stored points are the owners' rows, by time,
 * without rows that repeat the value before them. Imports of different kinds before live recording
 * give the same result in any order. Repeating an import changes nothing.
 */
import { argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { QuotedPoint } from '../../../shared/market/price.ts'
import { firstIndex } from '../../support/first-index.ts'
import { closeOf, isDailySource, isImportSource, type Kind } from './formats.ts'
import { contains, daysOf, type Range, touchesDay, union } from './ranges.ts'

export interface StoredPoint extends QuotedPoint {
  source: string
}

export interface Stored {
  /** The revision of history at the read. */
  revision: number
  points: readonly StoredPoint[]
  coverage: Readonly<Record<Kind, readonly Range[]>>
  /**
   * The instant of the first live point, or of the imported point with which it was joined. Null
   * before live recording begins.
   */
  liveFrom: Instant | null
}

/** The rows of one pair in a file, ordered by time: one row per instant, all before `liveFrom`. */
export interface Incoming {
  pair: Pair
  kind: Kind
  source: string
  rows: readonly QuotedPoint[]
  coverage: readonly Range[]
}

/** The points and coverage after an import, and counts of the rows that made no point. */
export function merge(stored: Stored, incoming: Incoming) {
  const { pair, kind } = incoming
  const coverage = {
    ...stored.coverage,
    [kind]: union([...stored.coverage[kind], ...incoming.coverage]),
  }
  const kept = stored.points.filter(
    (point) =>
      point.at === stored.liveFrom ||
      !isClose(pair, point) ||
      !touchesDay(coverage.timed, argentineDay(point.at)),
  )
  const taken = new Set(kept.map(({ at }) => at))
  const carried = carriedRows(stored, incoming, coverage.timed).filter(({ at }) => !taken.has(at))
  const { owned, counts } = ownedRows(stored, incoming, taken)

  const all = [...kept, ...carried, ...owned].toSorted((a, b) => a.at - b.at)
  const points = withoutRepeats(all, stored.liveFrom)
  const after = new Set(points.map(({ at }) => at))
  counts.unchanged += owned.filter(({ at }) => !after.has(at)).length
  return { stored: { ...stored, points, coverage }, counts }
}

/** Whether a point is a daily close. Checks the instant too, because carried rows keep a source. */
function isClose(pair: Pair, { at, source }: StoredPoint): boolean {
  return isDailySource(source) && at === closeOf(pair, argentineDay(at))
}

/** The rows at times that no earlier import owns, and counts of the other rows. */
function ownedRows(stored: Stored, { kind, source, rows }: Incoming, taken: ReadonlySet<Instant>) {
  const counts = { unchanged: 0, beaten: 0, conflicts: 0 }
  const owned: StoredPoint[] = []

  for (const row of rows) {
    if (kind === 'daily' && touchesDay(stored.coverage.timed, argentineDay(row.at))) counts.beaten++
    else if (!contains(stored.coverage[kind], row.at) && !taken.has(row.at))
      owned.push({ at: row.at, buy: row.buy, sell: row.sell, source })
    else if (isSame(row, valueAt(stored.points, row.at))) counts.unchanged++
    else counts.conflicts++
  }
  return { owned, counts }
}

/**
 * Rows of earlier imports that were not stored because they repeated the value before them. They
 * are needed again, because this import may change the value before them. In a `timed` range, only
 * the first instant can become a point.
 */
function carriedRows(
  { points, coverage }: Stored,
  { pair, source }: Incoming,
  timed: readonly Range[],
) {
  const days = coverage.daily.flatMap(daysOf).filter((day) => !touchesDay(timed, day))
  const instants = [
    ...coverage.timed.map(([from]) => from),
    ...days.map((day) => closeOf(pair, day)),
  ]
  return instants.flatMap((at): StoredPoint[] => {
    const value = valueAt(points, at)
    if (!value) return []
    return [{ ...value, at, source: isImportSource(value.source) ? value.source : source }]
  })
}

/**
 * Drops imported points that repeat the value before them. Live points, corrections and the point
 * with which live recording was joined stay.
 */
function withoutRepeats(
  points: readonly StoredPoint[],
  liveFrom: Stored['liveFrom'],
): StoredPoint[] {
  const kept: StoredPoint[] = []
  for (const point of points) {
    const isLeftAlone = !isImportSource(point.source) || point.at === liveFrom
    if (isLeftAlone || !isSame(point, kept.at(-1))) kept.push(point)
  }
  return kept
}

export function isSame(a: QuotedPoint, b: QuotedPoint | undefined): boolean {
  return b !== undefined && a.buy === b.buy && a.sell === b.sell
}

/** The last point at or before an instant. */
export function valueAt<Point extends QuotedPoint>(
  points: readonly Point[],
  at: Instant,
): Point | undefined {
  return points[firstIndex(points.length, (index) => points[index]!.at > at) - 1]
}
