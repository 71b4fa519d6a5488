/**
 * The revision of the past: one number that grows in every batch that changes earlier points. It
 * tells whether the nightly files, the recent chart and the kept pages are up to date. A cycle only adds new points, so it leaves the revision alone.
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
  return db.prepare('select revision, recent_drawn as recentDrawn from history_revision')
}

/** Undefined when the database has none. */
export function historyRevisionOf(
  result: D1Result | undefined,
): { revision: number; recentDrawn: number } | undefined {
  return result?.results[0] as { revision: number; recentDrawn: number } | undefined
}

/** Reads the revision alone; 0 when the database has none. */
export async function historyRevision(db: D1Database): Promise<number> {
  const row = await historyRevisionStatement(db).first<{ revision: number }>()
  return row?.revision ?? 0
}
