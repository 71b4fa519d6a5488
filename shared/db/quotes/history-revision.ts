/**
 * The revision of the past: one number that grows in every batch that changes earlier points. It
 * tells whether charts and nightly files are up to date. A cycle only adds new points, so it leaves
 * the revision alone.
 */

export function historyRevisionStatement(db: D1Database): D1PreparedStatement {
  return db.prepare('select revision from history_revision')
}

/** Undefined when the database has none. */
export function historyRevisionOf(result: D1Result | undefined): number | undefined {
  return (result?.results[0] as { revision: number } | undefined)?.revision
}
