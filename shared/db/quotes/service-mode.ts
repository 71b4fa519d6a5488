/**
 * The mode of a database. The first cycle or backfill sets the mode before it writes a value, and a
 * trigger keeps the mode for ever, so that simulated values never mix with real values.
 */
import type { Mode } from '../../board/board.ts'

/**
 * Sets the mode of a database that has none. As the first statement of a batch, it aborts the batch
 * if the database has another mode.
 */
export function setModeStatement(db: D1Database, mode: Mode): D1PreparedStatement {
  return db
    .prepare(
      `insert into service_mode (id, mode) values (1, ?1)
       on conflict (id) do update set mode = excluded.mode where mode <> excluded.mode`,
    )
    .bind(mode)
}

/** Whether `setModeStatement` aborted a batch. */
export function isOtherMode(error: unknown): boolean {
  return String(error).includes('the database is of another mode')
}

/** Null before the first cycle or backfill. */
export function readMode(db: D1Database): Promise<Mode | null> {
  return db.prepare('select mode from service_mode').first<Mode>('mode')
}
