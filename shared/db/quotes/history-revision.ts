/**
 * The revision of the past: one number that grows in every batch that changes earlier points. It
 * tells whether charts and nightly files are up to date. A cycle only adds new points, so it leaves
 * the revision alone.
 */

/**
 * Belongs into every batch that changes points except by adding a new latest one. The number
 * follows the clock in seconds, so that a database restored from a backup never repeats a number.
 */
export function raiseHistoryStatement(db: D1Database): D1PreparedStatement {
  return db.prepare(
    `insert into history_revision (id, revision) values (1, unixepoch() * 1000)
     on conflict (id) do update set revision = max(revision + 1, excluded.revision)`,
  )
}

export function historyRevisionStatement(db: D1Database): D1PreparedStatement {
  return db.prepare('select revision from history_revision')
}

/** Undefined when the database has none. */
export function historyRevisionOf(result: D1Result | undefined): number | undefined {
  return (result?.results[0] as { revision: number } | undefined)?.revision
}
