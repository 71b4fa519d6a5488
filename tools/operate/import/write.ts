import { argentineDay, dayStart, type Instant } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { candleStatements } from '../../../shared/db/quotes/candles.ts'
import { referenceStatement } from '../../../shared/db/quotes/reference-sell.ts'
import type { Kind } from './formats.ts'
import { isSame, type Merged, type Stored, type StoredPoint } from './merge.ts'
import { type Range, union, until } from './ranges.ts'

/**
 * Points changed by one batch. A remote database gets it as SQL text: about 60 kB of at most 100. A
 * local batch is larger, for its request and its transaction cost as much as many points.
 */
export const REMOTE_CHUNK = 800
export const LOCAL_CHUNK = 10_000

/** A point to put in, or one that is no longer needed. */
type Change = { at: Instant; point: StoredPoint | null }

/**
 * Brings the database from `stored` to `merged`, forward in time. Each batch is a transaction that
 * leaves points, candles, reference and coverage in agreement, so that a run cut short between two
 * of them is simply done again.
 */
export async function writeMerged(
  db: D1Database,
  pair: Pair,
  kind: Kind,
  stored: Stored,
  merged: Merged,
  chunkSize: number,
): Promise<void> {
  const have = new Set(stored.points.map(({ at }) => at))
  const anchors = merged.anchors.filter(({ at }) => !have.has(at)).toSorted((a, b) => a.at - b.at)
  await writeAnchors(db, pair, anchors, chunkSize)

  const changes = changesOf(stored, merged, anchors)
  let covered = stored.coverage[kind]
  const join = joinOf(stored, merged)
  if (changes.length === 0 && !join && String(covered) === String(merged.coverage[kind])) return

  for (let from = 0; from === 0 || from < changes.length; from += chunkSize) {
    const chunk = changes.slice(from, from + chunkSize)
    const isLast = from + chunkSize >= changes.length
    const done = isLast ? Infinity : chunk.at(-1)!.at
    const joined = isLast && join ? [join.from, join.live] : []
    const next = union(covered, coveredUntil(merged.coverage[kind], kind, done))

    await db.batch([
      ...pointStatements(db, pair, chunk),
      ...(joined.length > 0 ? joinStatements(db, pair, join!) : []),
      ...coverageStatements(db, pair, kind, covered, next),
      ...followers(db, pair, [...chunk.map(({ at }) => at), ...joined]),
    ])
    covered = next
  }
}

async function writeAnchors(
  db: D1Database,
  pair: Pair,
  anchors: readonly StoredPoint[],
  chunkSize: number,
) {
  for (let from = 0; from < anchors.length; from += chunkSize) {
    const chunk = anchors.slice(from, from + chunkSize).map((point) => ({ at: point.at, point }))
    const instants = chunk.map(({ at }) => at)
    await db.batch([...pointStatements(db, pair, chunk), ...followers(db, pair, instants)])
  }
}

/** What is left to do once the anchors are written. */
function changesOf(stored: Stored, merged: Merged, anchors: readonly StoredPoint[]): Change[] {
  const written = [...stored.points, ...anchors]
  const before = new Set(written.map(({ at }) => at))
  const after = new Set(merged.points.map(({ at }) => at))
  const put = merged.points.filter(({ at }) => !before.has(at))
  const taken = written.filter(({ at }) => !after.has(at))

  return [
    ...put.map((point): Change => ({ at: point.at, point })),
    ...taken.map(({ at }): Change => ({ at, point: null })),
  ].toSorted((a, b) => a.at - b.at)
}

/** Imports are about the time before the value in effect, which a cycle may have begun meanwhile. */
const BEFORE_CURRENT = `< coalesce((select updated_at from current_quotes where pair = ?1), ${Number.MAX_SAFE_INTEGER})`

/** A point that was written meanwhile stays, and only imported points are ever removed. */
function pointStatements(db: D1Database, pair: Pair, changes: readonly Change[]) {
  const put = changes.flatMap(({ point }) =>
    point ? [[point.at, point.buy, point.sell, point.source]] : [],
  )
  const taken = changes.filter(({ point }) => !point).map(({ at }) => at)

  return [
    ...overList(
      db,
      `insert into points (pair, at, buy, sell, source)
       select ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(?2)
       where value ->> 0 ${BEFORE_CURRENT} on conflict (pair, at) do nothing`,
      [pair.id],
      put,
    ),
    ...overList(
      db,
      `delete from points where pair = ?1 and source like 'import:%'
       and at ${BEFORE_CURRENT} and at in (select value from json_each(?2))`,
      [pair.id],
      taken,
    ),
  ]
}

/** The first live point, where it repeats the imported one before it, and that one. */
function joinOf({ liveFrom }: Stored, { points }: Merged) {
  const [before, live] = points.slice(-2)
  const isRepeat = live?.at === liveFrom && isSame(live, before)
  return isRepeat ? { from: before!.at, live: live.at } : null
}

/**
 * One point per change: live recording begins from the imported point, and the value in effect is as
 * old as that. A point that a cycle or a correction wrote between them keeps both.
 */
function joinStatements(
  db: D1Database,
  pair: Pair,
  { from, live }: { from: Instant; live: Instant },
) {
  const bound = (sql: string) => db.prepare(sql).bind(pair.id, from, live)
  return [
    bound(
      `update or replace points set at = ?2 where pair = ?1 and at = ?3
       and (?2, buy, sell) = (select at, buy, sell from points
         where pair = ?1 and at < ?3 order by at desc limit 1)`,
    ),
    bound(
      `update current_quotes set updated_at = ?2 where pair = ?1 and updated_at = ?3
       and not exists (select 1 from points where pair = ?1 and at = ?3)`,
    ),
  ]
}

/** What is derived from points: the candles of the days touched, the current quote's reference. */
function followers(db: D1Database, pair: Pair, instants: readonly Instant[]) {
  if (instants.length === 0) return []
  const first = argentineDay(Math.min(instants[0]!, ...instants.slice(-2)))
  const last = argentineDay(Math.max(...instants.slice(-2)))
  return [...candleStatements(db, pair, first, last), referenceStatement(db, pair)]
}

function coverageStatements(
  db: D1Database,
  pair: Pair,
  kind: Kind,
  before: readonly Range[],
  after: readonly Range[],
) {
  const had = new Set(before.map(String))
  const has = new Set(after.map(String))
  const gone = before.filter((range) => !has.has(String(range))).map(([from]) => from)
  const made = after.filter((range) => !had.has(String(range)))

  return [
    ...overList(
      db,
      `delete from import_coverage where pair = ?1 and kind = ?2
       and from_at in (select value from json_each(?3))`,
      [pair.id, kind],
      gone,
    ),
    ...overList(
      db,
      `insert into import_coverage (pair, kind, from_at, to_at)
       select ?1, ?2, value ->> 0, value ->> 1 from json_each(?3) where true
       on conflict (pair, kind, from_at) do update set to_at = max(to_at, excluded.to_at)`,
      [pair.id, kind],
      made,
    ),
  ]
}

/** A statement whose last parameter is a list; none for an empty one. */
function overList(
  db: D1Database,
  sql: string,
  given: readonly unknown[],
  list: readonly unknown[],
): D1PreparedStatement[] {
  return list.length === 0 ? [] : [db.prepare(sql).bind(...given, JSON.stringify(list))]
}

/**
 * The coverage once all changes up to an instant are written. Daily data counts whole days only.
 */
function coveredUntil(ranges: readonly Range[], kind: Kind, at: Instant): Range[] {
  if (at === Infinity) return [...ranges]
  return until(ranges, kind === 'daily' ? dayStart(argentineDay(at + 1)) - 1 : at)
}
