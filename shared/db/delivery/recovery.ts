import { OPEN } from './open.ts'

const EARLIER = `exists (select 1 from deliveries d where d.webhook_id = webhooks.id
  and d.type in ('automatic', 'sync') and d.${OPEN})`

/** The statement that finds webhooks whose earlier queue is empty while there is capacity. */
export function findRecoverable(
  db: D1Database,
  capacity: number,
  limit: number,
): D1PreparedStatement {
  return db
    .prepare(
      `select id from webhooks where state = 'capacity' and not ${EARLIER}
         and coalesce((select outstanding from capacity where id = 1), 0) < ?1
       limit ?2`,
    )
    .bind(capacity, limit)
}

/**
 * Takes webhooks out of `capacity`: active again and owed one sync, of a revision of its own so
 * that it is made exactly once. The condition is asked again: one that changed since stays.
 */
export async function recoverWebhooks(
  db: D1Database,
  ids: readonly string[],
  capacity: number,
): Promise<number> {
  const { meta } = await db
    .prepare(
      `update webhooks set state = 'active', version = version + 1, revision = revision + 1,
         needs_sync = 1
       where id in (select value from json_each(?1)) and state = 'capacity' and not ${EARLIER}
         and coalesce((select outstanding from capacity where id = 1), 0) < ?2`,
    )
    .bind(JSON.stringify(ids), capacity)
    .run()
  return meta.changes
}
