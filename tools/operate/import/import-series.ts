import type { Instant } from '../../../shared/argentine-time.ts'
import { namedBatch, type Statement } from '../../../shared/db/named-batch.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import { candleStatements } from './candles.ts'
import { CommandError } from '../../support/arguments.ts'
import { chunksOf } from '../../support/chunks.ts'
import { referenceStatement } from './corrections.ts'
import type { Format } from './formats.ts'
import { merge, type Merged } from './merge.ts'
import { leaveOut, RECORDED, type Series } from './read-file.ts'
import type { PairSummary } from './report.ts'
import { readStored } from './stored.ts'
import { findSuspicious } from './suspicion.ts'

/** Imports the rows of one pair, and reports what changed and what looked wrong. */
export async function importSeries(
  db: D1Database,
  { source, kind }: Pick<Format, 'source' | 'kind'>,
  series: Series,
  { dryRun }: { dryRun: boolean },
): Promise<PairSummary> {
  const { pair, coverage, read, skipped } = series
  const stored = await readStored(db, pair)
  const live = stored.liveFrom ?? Infinity
  const rows = series.rows.filter(({ at }) => at < live)
  for (const { at, row } of series.rows) if (at >= live) leaveOut(skipped, RECORDED, row)

  const merged = merge(stored, { pair, kind, source, rows, coverage: before(coverage, live) })
  const [made, removed] = [merged.made.length, merged.removed.length]
  const isSame = String(merged.coverage) === String(stored.coverage[kind])
  const isKnown = made + removed === 0 && !merged.join && isSame
  if (!dryRun && !isKnown) await writeMerged(db, pair, { source, kind }, merged)

  const [first, last] = [series.rows[0], series.rows.at(-1)]
  const range = first && last ? ([first.at, last.at] as const) : null
  const findings = findSuspicious(series.rows)
  return { pair, read, made, removed, ...merged.counts, skipped, range, findings }
}

/** The coverage before live recording began. */
function before(coverage: Series['coverage'], live: Instant): Series['coverage'] {
  return coverage
    .filter(([from]) => from < live)
    .map(([from, to]) => [from, Math.min(to, live - 1)] as const)
}

/** Rows of one part. A remote database gets it as SQL text: about 60 kB of at most 100. */
const PART = 1000

/**
 * Writes the changes of a merge: first into `import_parts`, then one batch copies them from there.
 * If the process dies before that batch, or another import of the pair removes its parts, nothing
 * has changed.
 */
async function writeMerged(
  db: D1Database,
  pair: Pair,
  { source, kind }: Pick<Format, 'source' | 'kind'>,
  merged: Merged,
): Promise<void> {
  const { made, removed, join } = merged
  const run = Date.now()
  const parts = partStatements(db, pair, run, source, merged)
  // A single part is inserted in the final batch.
  if (parts.length > 1) for (const part of parts.splice(0)) await part.run()

  const ends = [made[0]?.at, made.at(-1)?.at, removed[0], removed.at(-1), join?.from, join?.live]
  const changed = ends.filter((at) => at !== undefined)
  const { written } = await namedBatch(db, {
    parts,
    inserted: db.prepare(INSERT_POINTS).bind(pair.id, run, source),
    deleted: db.prepare(DELETE_POINTS).bind(pair.id, run),
    joined: join ? JOIN.map((sql) => db.prepare(sql).bind(pair.id, join.from, join.live)) : [],
    forgotten: db.prepare(DELETE_COVERAGE).bind(pair.id, run, kind),
    covered: db.prepare(INSERT_COVERAGE).bind(pair.id, run, kind),
    candles:
      changed.length === 0
        ? []
        : Object.values(candleStatements(db, pair, Math.min(...changed), Math.max(...changed))),
    reference: referenceStatement(db, pair),
    written: takeParts(db, pair),
  })
  if (!written.results.some((part) => part.run === run))
    throw new CommandError(`${pairKey(pair)} was imported twice at the same time: run it again`)
}

/** Deletes the parts of all imports of the pair. */
function takeParts(db: D1Database, pair: Pair): Statement<{ run: number }> {
  return db.prepare('delete from import_parts where pair = ? returning run').bind(pair.id)
}

function partStatements(
  db: D1Database,
  pair: Pair,
  run: number,
  source: string,
  { made, removed, coverage }: Merged,
): D1PreparedStatement[] {
  const rows = [
    ...made.map(({ source: of, ...point }) => ({
      made: { ...point, source: of === source ? undefined : of },
    })),
    ...removed.map((at) => ({ removed: at })),
    ...coverage.map(([from, to]) => ({ covered: { from, to } })),
  ]
  return chunksOf(rows, PART).map((chunk, part) => {
    const of = (list: string) =>
      JSON.stringify(chunk.flatMap((row) => (list in row ? Object.values(row) : [])))
    return db
      .prepare('insert into import_parts values (?, ?, ?, ?, ?, ?)')
      .bind(pair.id, run, part, of('made'), of('removed'), of('covered'))
  })
}

/**
 * Inserts only before the value in effect, which a cycle may have recorded meanwhile. A point that
 * was written meanwhile stays.
 */
const INSERT_POINTS = `
  insert into points (pair, at, buy, sell, source)
  select ?1, value ->> 'at', value ->> 'buy', value ->> 'sell', coalesce(value ->> 'source', ?3)
  from import_parts, json_each(import_parts.made)
  where import_parts.pair = ?1 and run = ?2 and value ->> 'at' < coalesce(
    (select updated_at from current_quotes where pair = ?1), ${Number.MAX_SAFE_INTEGER})
  on conflict (pair, at) do nothing`

/** Removes only imported points. */
const DELETE_POINTS = `
  delete from points where pair = ?1 and source like 'import:%'
    and at < coalesce(
      (select updated_at from current_quotes where pair = ?1), ${Number.MAX_SAFE_INTEGER})
    and at in (select value from import_parts, json_each(import_parts.removed)
      where import_parts.pair = ?1 and run = ?2)`

const DELETE_COVERAGE = `
  delete from import_coverage where pair = ?1 and kind = ?3
    and exists (select 1 from import_parts where pair = ?1 and run = ?2)`

const INSERT_COVERAGE = `
  insert into import_coverage (pair, kind, from_at, to_at)
  select ?1, ?3, value ->> 'from', value ->> 'to'
  from import_parts, json_each(import_parts.covered)
  where import_parts.pair = ?1 and run = ?2`

/**
 * If the first live point (?3) repeats the imported point (?2), moves it there, and gives the value
 * in effect that age (decision 12: one point per change). If a cycle or a correction wrote a point
 * between them, both stay.
 */
const JOIN = [
  `update or replace points set at = ?2 where pair = ?1 and at = ?3
   and (?2, buy, sell) = (select at, buy, sell from points
     where pair = ?1 and at < ?3 order by at desc limit 1)`,
  `update current_quotes set updated_at = ?2 where pair = ?1 and updated_at = ?3
   and not exists (select 1 from points where pair = ?1 and at = ?3)`,
]
