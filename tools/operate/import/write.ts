import { argentineDay } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import { candleStatements } from '../../../shared/db/quotes/candles.ts'
import { referenceStatement } from '../../../shared/db/quotes/reference-sell.ts'
import { CommandError } from '../../support/arguments.ts'
import type { Kind } from './formats.ts'
import type { Merged } from './merge.ts'

/** Rows of one part. A remote database gets it as SQL text: about 60 kB of at most 100. */
const PART = 800

/**
 * Writes what a merge changes: first to `import_parts`, then one batch takes it from there. A run
 * that was cut short before that batch has changed nothing, nor has one whose parts another import
 * of the pair took away.
 */
export async function writeMerged(
  db: D1Database,
  pair: Pair,
  kind: Kind,
  { made, removed, coverage, join }: Merged,
): Promise<void> {
  const run = Date.now()
  await writeParts(db, pair, run, [
    ...made.map(({ at, buy, sell, source }) => ['made', at, buy, sell, source]),
    ...removed.map((at) => ['removed', at]),
    ...coverage.map((range) => ['covered', ...range]),
  ])

  const ends = [made[0]?.at, made.at(-1)?.at, removed[0], removed.at(-1), join?.from, join?.live]
  const changed = ends.filter((at) => at !== undefined)
  const ours = (sql: string) => db.prepare(sql).bind(pair.id, run)
  const results = await db.batch([
    ours(INSERT_POINTS),
    ours(DELETE_POINTS),
    ...(join ? JOIN.map((sql) => db.prepare(sql).bind(pair.id, join.from, join.live)) : []),
    db.prepare(DELETE_COVERAGE).bind(pair.id, run, kind),
    db.prepare(INSERT_COVERAGE).bind(pair.id, run, kind),
    ...(changed.length > 0
      ? candleStatements(
          db,
          pair,
          argentineDay(Math.min(...changed)),
          argentineDay(Math.max(...changed)),
        )
      : []),
    referenceStatement(db, pair),
    db.prepare('delete from import_parts where pair = ? returning run').bind(pair.id),
  ])
  const written = results.at(-1)!.results as { run: number }[]
  if (!written.some((part) => part.run === run))
    throw new CommandError(`${pairKey(pair)} was imported twice at the same time: run it again`)
}

async function writeParts(
  db: D1Database,
  pair: Pair,
  run: number,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += PART) {
    await db
      .prepare('insert into import_parts (pair, run, part, rows) values (?, ?, ?, ?)')
      .bind(pair.id, run, from / PART, JSON.stringify(rows.slice(from, from + PART)))
      .run()
  }
}

/** The rows of this run that begin with a word, each as `value`. */
const rowsOf = (word: string) =>
  `from import_parts, json_each(import_parts.rows)
   where import_parts.pair = ?1 and run = ?2 and value ->> 0 = '${word}'`

/** Imports are about the time before the value in effect, which a cycle may have begun meanwhile. */
const BEFORE_CURRENT = `< coalesce(
  (select updated_at from current_quotes where pair = ?1), ${Number.MAX_SAFE_INTEGER})`

/** A point that was written meanwhile stays. */
const INSERT_POINTS = `
  insert into points (pair, at, buy, sell, source)
  select ?1, value ->> 1, value ->> 2, value ->> 3, value ->> 4 ${rowsOf('made')}
    and value ->> 1 ${BEFORE_CURRENT}
  on conflict (pair, at) do nothing`

/** Only imported points are ever removed. */
const DELETE_POINTS = `
  delete from points where pair = ?1 and source like 'import:%' and at ${BEFORE_CURRENT}
    and at in (select value ->> 1 ${rowsOf('removed')})`

const DELETE_COVERAGE = `
  delete from import_coverage where pair = ?1 and kind = ?3
    and exists (select 1 from import_parts where pair = ?1 and run = ?2)`

const INSERT_COVERAGE = `
  insert into import_coverage (pair, kind, from_at, to_at)
  select ?1, ?3, value ->> 1, value ->> 2 ${rowsOf('covered')}`

/**
 * One point per change: live recording (?3) begins from the imported point (?2), and the value in
 * effect is as old as that. A point that a cycle or a correction wrote between them keeps both.
 */
const JOIN = [
  `update or replace points set at = ?2 where pair = ?1 and at = ?3
   and (?2, buy, sell) = (select at, buy, sell from points
     where pair = ?1 and at < ?3 order by at desc limit 1)`,
  `update current_quotes set updated_at = ?2 where pair = ?1 and updated_at = ?3
   and not exists (select 1 from points where pair = ?1 and at = ?3)`,
]
