/**
 * SQL condition: this database may send deliveries and e-mails. A copy of a database may not,
 * because customers would get everything twice, from the service and from the copy.
 */
export const MAY_DELIVER = `not exists (select 1 from installation where id = 1 and not delivers)`

/**
 * Records the location where a database is in service. If the database has another location
 * already, it is a copy and stops delivering. The returned row says whether it delivers.
 */
export function placeStatement(db: D1Database, place: string): D1PreparedStatement {
  return db
    .prepare(
      `insert into installation (id, place) values (1, ?1)
       on conflict (id) do update set place = ?1, delivers = delivers and coalesce(place, ?1) = ?1
       returning delivers`,
    )
    .bind(place)
}
