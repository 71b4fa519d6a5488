/**
 * How imported rows of one pair join what is stored. Pure. The rule behind it:
 *
 * Every instant of the past has one owner: live recording from its first point on, else the first
 * `timed` import that covers it, else the first `daily` import that covers its day. A `timed` one
 * owns every day that it touches. The stored points are the owners' rows, in order, without those
 * that repeat the value before them. A live point that repeats the imported one before it is joined to
 * that one (write.ts), and live recording began there. Until then the order of imports of different
 * kinds makes no difference. An import done twice is an import done once, and one that was cut short
 * can simply be done again.
 */
import { argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { QuotedPoint } from '../../../shared/market/quoted-point.ts'
import { firstIndex } from '../../support/first-index.ts'
import { closeOf, isDailySource, isImportSource, type Kind } from './formats.ts'
import { contains, daysWithout, type Range, touchesDay, union } from './ranges.ts'

export interface StoredPoint extends QuotedPoint {
  source: string
}

export interface Stored {
  points: readonly StoredPoint[]
  coverage: Readonly<Record<Kind, readonly Range[]>>
  /** The instant of the first live point, or of the one that it began from; null before it began. */
  liveFrom: Instant | null
}

/** What a file has of a pair: in order of time, one row an instant, none from `liveFrom` on. */
export interface Incoming {
  pair: Pair
  kind: Kind
  source: string
  rows: readonly QuotedPoint[]
  coverage: readonly Range[]
}

export interface Merged {
  points: StoredPoint[]
  coverage: Record<Kind, Range[]>
  /**
   * Stored values at the instants from which earlier imports still own the time. Without them a change
   * before that instant would take effect there too. They are written first. Those that are not in
   * `points` are removed when their turn comes, so that a merge cut short anywhere can be repeated.
   */
  anchors: StoredPoint[]
  /**
   * The rows that are not points: the value was in effect already, or an earlier import owns the
   * time.
   */
  counts: { unchanged: number; beaten: number; conflicts: number }
}

export function merge(stored: Stored, incoming: Incoming): Merged {
  const coverage = {
    daily: union(stored.coverage.daily, incoming.kind === 'daily' ? incoming.coverage : []),
    timed: union(stored.coverage.timed, incoming.kind === 'timed' ? incoming.coverage : []),
  }
  const kept = stored.points.filter(
    (point) =>
      point.at === stored.liveFrom ||
      !isClose(incoming.pair, point) ||
      !touchesDay(coverage.timed, argentineDay(point.at)),
  )
  const taken = new Set(kept.map(({ at }) => at))
  const anchors = anchorsOf(stored, incoming, coverage.timed).filter(({ at }) => !taken.has(at))
  const { owned, counts } = ownedRows(stored, incoming, taken)

  const all = [...kept, ...anchors, ...owned].toSorted((a, b) => a.at - b.at)
  const points = withoutRepeats(all, stored.liveFrom)
  const final = new Set(points.map(({ at }) => at))

  return {
    points,
    coverage,
    anchors: anchors.filter(
      ({ at }) => final.has(at) || valueAt(points, at)?.at !== valueAt(stored.points, at)?.at,
    ),
    counts: {
      ...counts,
      unchanged: counts.unchanged + owned.filter(({ at }) => !final.has(at)).length,
    },
  }
}

/**
 * An anchor has the source of a daily close, but may stand at another instant. Then it is not a
 * close.
 */
function isClose(pair: Pair, { at, source }: StoredPoint): boolean {
  return isDailySource(source) && at === closeOf(pair, argentineDay(at))
}

/** The rows whose time no earlier import owns, and counts of the others. */
function ownedRows(stored: Stored, { kind, source, rows }: Incoming, taken: ReadonlySet<Instant>) {
  const counts = { unchanged: 0, beaten: 0, conflicts: 0 }
  const owned: StoredPoint[] = []

  for (const row of rows) {
    if (kind === 'daily' && touchesDay(stored.coverage.timed, argentineDay(row.at))) counts.beaten++
    else if (!contains(stored.coverage[kind], row.at) && !taken.has(row.at))
      owned.push({ ...row, source })
    else if (isSame(row, valueAt(stored.points, row.at))) counts.unchanged++
    else counts.conflicts++
  }
  return { owned, counts }
}

/** The value in effect at the first instant of each stretch that earlier imports still own. */
function anchorsOf(stored: Stored, { pair, source }: Incoming, timedAfter: readonly Range[]) {
  const daily = daysWithout(stored.coverage.daily, timedAfter)
  const starts = [
    ...stored.coverage.timed.map(([from]) => from),
    ...daily.map(([from]) => closeOf(pair, argentineDay(from))),
  ]
  return starts.flatMap((at): StoredPoint[] => {
    const value = valueAt(stored.points, at)
    if (!value) return []
    return [{ ...value, at, source: isImportSource(value.source) ? value.source : source }]
  })
}

/**
 * Only changes are points; what live recording or a correction wrote, and the point that live recording
 * began from, is left alone.
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
