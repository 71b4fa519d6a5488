import { argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { candleStatements } from '../../../shared/db/quotes/candles.ts'
import { referenceStatement } from '../../../shared/db/quotes/reference-sell.ts'
import type { Kind } from './formats.ts'
import { isSame, type Merged, type Stored, type StoredPoint } from './merge.ts'
import type { Range } from './ranges.ts'

/**
 * Rows imported by one batch. A remote database gets it as SQL text: about 60 kB of at most 100. A
 * local batch is larger, for its request and its transaction cost as much as many points.
 */
export const REMOTE_CHUNK = 800
export const LOCAL_CHUNK = 10_000

/**
 * Brings the database from `stored` to `merged` in one batch, after which points, candles, reference
 * and coverage agree. The last one of a series joins it with what was recorded live.
 */
export async function writeMerged(
  db: D1Database,
  pair: Pair,
  kind: Kind,
  stored: Stored,
  merged: Merged,
  isLast: boolean,
): Promise<void> {
  const before = new Set(stored.points.map(({ at }) => at))
  const after = new Set(merged.points.map(({ at }) => at))
  const put = merged.points.filter(({ at }) => !before.has(at))
  const taken = stored.points.flatMap(({ at }) => (after.has(at) ? [] : [at]))
  const join = isLast ? joinOf(stored, merged) : null
  const touched = [...put.map(({ at }) => at), ...taken, ...(join ? [join.from, join.live] : [])]
  const statements = [
    ...pointStatements(db, pair, put, taken),
    ...(join ? joinStatements(db, pair, join) : []),
    ...coverageStatements(db, pair, kind, stored.coverage[kind], merged.coverage[kind]),
    ...followers(db, pair, touched),
  ]
  if (statements.length > 0) await db.batch(statements)
}

/** Imports are about the time before the value in effect, which a cycle may have begun meanwhile. */
const BEFORE_CURRENT = `< coalesce((select updated_at from current_quotes where pair = ?1), ${Number.MAX_SAFE_INTEGER})`

/** A point that was written meanwhile stays, and only imported points are ever removed. */
function pointStatements(
  db: D1Database,
  pair: Pair,
  points: readonly StoredPoint[],
  taken: readonly Instant[],
) {
  const put = points.map(({ at, buy, sell, source }) => [at, buy, sell, source])
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
  const sorted = instants.toSorted((a, b) => a - b)
  const [first, last] = [argentineDay(sorted[0]!), argentineDay(sorted.at(-1)!)]
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
