/**
 * Imports the rows of one pair, some hundred at a time. Each batch is a complete import of its
 * time, so repeating an interrupted import finishes it.
 */
import { argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import { namedBatch, type Statement } from '../../../shared/db/named-batch.ts'
import { historyRevisionStatement } from '../../../shared/db/quotes/quotes.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { QuotedPoint } from '../../../shared/market/price.ts'
import { chunksOf } from '../../support/chunks.ts'
import { candleStatements, raiseHistoryFromStatement } from './candles.ts'
import { referenceStatement } from './corrections.ts'
import type { Format, Kind } from './formats.ts'
import { type Incoming, isSame, merge, type Stored, type StoredPoint } from './merge.ts'
import { contains, dayRanges, type Range, within } from './ranges.ts'
import type { Series } from './read-file.ts'
import type { PairSummary } from './report.ts'
import { findSuspicious } from './suspicion.ts'

/** Rows per batch. A remote database gets a batch as SQL text: about 60 kB of at most 100 kB. */
const ROWS_AT_ONCE = 700

/**
 * Imports the rows of one pair, and reports what changed and what looks wrong. By default, the rows
 * cover the days of their closes, or the time from the first observation to the last.
 */
export async function importSeries(
  db: D1Database,
  { source, kind }: Pick<Format, 'source' | 'kind'>,
  { pair, rows, coverage = coverageOf(kind, rows) }: Series & { coverage?: readonly Range[] },
  { dryRun = false } = {},
): Promise<PairSummary> {
  let stored = await readStored(db, pair)
  const before = stored.points
  const live = stored.liveFrom ?? Infinity
  const past = rows.filter(({ at }) => at < live)
  const counts = { unchanged: 0, beaten: 0, conflicts: 0 }

  let from = -Infinity
  for (const chunk of chunksOf(past, ROWS_AT_ONCE)) {
    const last = chunk.at(-1)!
    const isLast = last === past.at(-1)
    const covered = within(coverage, from, isLast ? live - 1 : last.at)
    from = last.at + 1
    const incoming = { pair, kind, source, rows: chunk, coverage: covered }
    const merged = await mergeAndWrite(db, incoming, stored, isLast, dryRun)
    for (const name of ['unchanged', 'beaten', 'conflicts'] as const)
      counts[name] += merged.counts[name]
    stored = merged.stored
  }

  return {
    pair,
    rows: rows.length,
    made: lacking(before, stored.points).length,
    removed: lacking(stored.points, before).length,
    ...counts,
    live: rows.length - past.length,
    range: [rows[0]!.at, rows.at(-1)!.at],
    findings: findSuspicious(rows),
  }
}

function coverageOf(kind: Kind, rows: readonly QuotedPoint[]): readonly Range[] {
  if (kind === 'daily') return dayRanges(rows.map(({ at }) => argentineDay(at)))
  return [[rows[0]!.at, rows.at(-1)!.at]]
}

/** The points of `all` at instants at which `some` has no point. */
function lacking(some: readonly StoredPoint[], all: readonly StoredPoint[]): StoredPoint[] {
  const instants = new Set(some.map(({ at }) => at))
  return all.filter(({ at }) => !instants.has(at))
}

/** Merges and writes one batch. If history has changed meanwhile, reads it again and repeats. */
async function mergeAndWrite(
  db: D1Database,
  incoming: Incoming,
  before: Stored,
  isLast: boolean,
  dryRun: boolean,
): Promise<ReturnType<typeof merge>> {
  const { stored, counts } = merge(before, incoming)
  const revision = dryRun ? before.revision : await write(db, incoming, before, stored, isLast)
  if (revision !== null) return { stored: { ...stored, revision }, counts }
  return mergeAndWrite(db, incoming, await readStored(db, incoming.pair), isLast, dryRun)
}

/**
 * Writes the differences of a merge in one batch, and returns the new revision of history. If
 * another import or a correction has changed history since `before` was read, writes nothing and
 * returns null.
 */
async function write(
  db: D1Database,
  { pair, kind, coverage }: Incoming,
  before: Stored,
  after: Stored,
  isLast: boolean,
): Promise<number | null> {
  const made = lacking(before.points, after.points)
  const removed = lacking(after.points, before.points).map(({ at }) => at)
  const join = isLast ? joinOf(after) : []
  const isKnown = String(after.coverage[kind]) === String(before.coverage[kind])
  const changed = [...made.map(({ at }) => at), ...removed, ...join].toSorted((a, b) => a - b)
  if (isKnown && changed.length === 0) return before.revision

  const covered = after.coverage[kind]
    .filter((range) => coverage.some(([at]) => contains([range], at)))
    .map(([from, to]) => ({ from, to }))
  const on = (sql: string, ...values: unknown[]) => db.prepare(sql).bind(pair.id, ...values)
  const batch = {
    raised: raiseHistoryFromStatement(db, before.revision),
    inserted: on(INSERT_POINTS, JSON.stringify(made)),
    deleted: on(DELETE_POINTS, JSON.stringify(removed)),
    joined: join.length > 0 ? JOIN.map((sql) => on(sql, ...join)) : [],
    forgotten: on(DELETE_COVERAGE, kind, JSON.stringify(covered)),
    covered: on(INSERT_COVERAGE, kind, JSON.stringify(covered)),
    candles:
      changed.length === 0
        ? []
        : Object.values(candleStatements(db, pair, changed[0]!, changed.at(-1)!)),
    reference: referenceStatement(db, pair),
  }
  try {
    const { raised } = await namedBatch(db, batch)
    return raised.results[0]!.revision
  } catch (error) {
    if (String(error).includes('history_revision.revision')) return null
    throw error
  }
}

/**
 * The instants of the first live point and of the imported point before it, if both have the same
 * value. They are joined at the imported instant, which becomes the start of live recording.
 */
function joinOf({ points, liveFrom }: Stored): Instant[] {
  const [before, live] = points.slice(-2)
  return live?.at === liveFrom && isSame(live, before) ? [before!.at, live.at] : []
}

/**
 * Inserts only before the current value, which a cycle may have recorded meanwhile. Does not
 * replace a point that was written meanwhile.
 */
const INSERT_POINTS = `
  insert into points (pair, at, buy, sell, source)
  select ?1, value ->> 'at', value ->> 'buy', value ->> 'sell', value ->> 'source'
  from json_each(?2)
  where value ->> 'at' < coalesce(
    (select updated_at from current_quotes where pair = ?1), ${Number.MAX_SAFE_INTEGER})
  on conflict (pair, at) do nothing`

const DELETE_POINTS = `
  delete from points where pair = ?1 and at in (select value from json_each(?2))
    and at < coalesce(
      (select updated_at from current_quotes where pair = ?1), ${Number.MAX_SAFE_INTEGER})`

const DELETE_COVERAGE = `
  delete from import_coverage where pair = ?1 and kind = ?2 and exists (
    select 1 from json_each(?3) where from_at >= value ->> 'from' and to_at <= value ->> 'to')`

const INSERT_COVERAGE = `
  insert into import_coverage (pair, kind, from_at, to_at)
  select ?1, ?2, value ->> 'from', value ->> 'to' from json_each(?3) where true
  on conflict do nothing`

/**
 * If the first live point (?3) repeats the imported point (?2), moves the live point to ?2 and sets
 * the age of the current value accordingly (decision 12: one point per change). If a cycle or a
 * correction wrote a point between them, both points stay.
 */
const JOIN = [
  `update or replace points set at = ?2 where pair = ?1 and at = ?3
   and (?2, buy, sell) = (select at, buy, sell from points
     where pair = ?1 and at < ?3 order by at desc limit 1)`,
  `update current_quotes set updated_at = ?2 where pair = ?1 and updated_at = ?3
   and not exists (select 1 from points where pair = ?1 and at = ?3)`,
]

/** The times of a pair's history that have an owner (merge.ts). */
export type Owned = Pick<Stored, 'coverage' | 'liveFrom'>

/**
 * The pair's stored points and coverage up to its first live point, because imports change only
 * earlier times. A corrected point does not count as live.
 */
async function readStored(db: D1Database, pair: Pair): Promise<Stored> {
  // Read first, so that `raiseHistoryFromStatement` detects a change during the other reads.
  const revision = await historyRevisionStatement(db).first<number>('revision')
  const owned = await readOwned(db, pair)
  const { results } = await db
    .prepare('select at, buy, sell, source from points where pair = ?1 and at <= ?2 order by at')
    .bind(pair.id, owned.liveFrom ?? Number.MAX_SAFE_INTEGER)
    .all<StoredPoint>()
  return { ...owned, points: results, revision: revision! }
}

/**
 * The first live point and the times that imports cover. If the first cycle only confirmed an
 * imported value, it made no point, and the imported point in effect counts as the first live one.
 */
export async function readOwned(db: D1Database, pair: Pair): Promise<Owned> {
  const live: Statement<{ at: Instant | null }> = db
    .prepare(
      `select min(at) as at from (
         select at from points
         where pair = ?1 and source not like 'import:%' and source <> 'correction'
         union all select updated_at from current_quotes where pair = ?1)`,
    )
    .bind(pair.id)
  const covered: Statement<{ kind: Kind; fromAt: Instant; toAt: Instant }> = db
    .prepare(
      `select kind, from_at as fromAt, to_at as toAt from import_coverage
       where pair = ?1 order by from_at`,
    )
    .bind(pair.id)
  const found = await namedBatch(db, { live, covered })
  const ranges = (wanted: Kind) =>
    found.covered.results
      .filter(({ kind }) => kind === wanted)
      .map(({ fromAt, toAt }): Range => [fromAt, toAt])
  return {
    coverage: { daily: ranges('daily'), timed: ranges('timed') },
    liveFrom: found.live.results[0]?.at ?? null,
  }
}
