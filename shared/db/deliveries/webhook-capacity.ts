/** Deliveries that are accepted and not finished, as an SQL expression. */
export const OUTSTANDING = `coalesce((select outstanding from capacity where id = 1), 0)`

/** Reserves a place for each row that the statement before it in the batch inserted. */
export function reserveInserted(db: D1Database): D1PreparedStatement {
  return db.prepare(
    `insert into capacity (id, outstanding) select 1, changes() where changes() > 0
     on conflict (id) do update set outstanding = outstanding + excluded.outstanding`,
  )
}
