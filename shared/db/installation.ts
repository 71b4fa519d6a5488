/**
 * SQL: whether deliveries and e-mails may go out. Otherwise customers would get them twice, from
 * the service and from a copy of its database.
 */
export const MAY_DELIVER = `not exists (select 1 from installation where id = 1 and not delivers)`

/**
 * Records where a database is in service. If it was in service elsewhere before, it is a copy and
 * stops delivering. The returned row says whether it delivers.
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
