/**
 * The revision of the past: one number that grows with every change of points that lie behind, in the
 * batch that makes it. It says which documents of closed days are still true
 * (shared/board/closed-day.ts), and whether the nightly files are. A cycle only adds to the day that
 * runs, and leaves it alone.
 */

/**
 * For every batch that changes points other than by adding a new latest one. The number follows the
 * clock in seconds, so that a database restored from a backup does not count up to numbers that were
 * used before.
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

/** Undefined when the database has none: then no document is believed. */
export function historyRevisionOf(
  result: D1Result | undefined,
): { revision: number; recentDrawn: number } | undefined {
  return result?.results[0] as { revision: number; recentDrawn: number } | undefined
}

/** The same by itself; 0 when the database has none. */
export async function historyRevision(db: D1Database): Promise<number> {
  const row = await historyRevisionStatement(db).first<{ revision: number }>()
  return row?.revision ?? 0
}
