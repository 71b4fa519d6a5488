/** Webhooks that are owed a sync: on, or suspended until there is room for it. */
import type { Instant } from '../../argentine-time.ts'
import { OUTSTANDING, reserveInserted } from './webhook-capacity.ts'
import { insertRepeat } from './insert-repeat.ts'
import { OPEN } from './open.ts'

/** In `capacity`, and what they accepted before has ended. */
const SUSPENDED = `webhooks.state = 'capacity' and not exists (select 1 from deliveries d
  where d.webhook_id = webhooks.id and d.type in ('automatic', 'sync') and d.${OPEN})`

/** Active, of a pair that was quoted, and the sync they are owed was not made yet. */
const OWED = `webhooks.needs_sync = 1 and webhooks.synced_revision <> webhooks.revision
  and webhooks.state = 'active'
  and exists (select 1 from current_quotes q where q.pair = webhooks.pair)`

/** So many rows, and where there is no room none, which are then not read. A limit below 0 is none. */
const whereRoom = (rows: number) => `limit iif(${OUTSTANDING} < ?1, ${rows}, 0)`

/** The statement that tells whether there is one of them, and room for it. */
export function findOwing(db: D1Database, capacity: number): D1PreparedStatement {
  return db
    .prepare(
      `select * from (select id from webhooks where ${SUSPENDED} ${whereRoom(1)})
       union all select * from (select id from webhooks where ${OWED} ${whereRoom(1)})`,
    )
    .bind(capacity)
}

/**
 * As many of them as there is room for, at most `limit`, and that room. Every account has one
 * before any has two, in an order of chance: where room stays scarce, nobody is always the last.
 */
export async function listOwing(
  db: D1Database,
  capacity: number,
  limit: number,
): Promise<{ room: number; ids: string[] }> {
  const [room, owing] = (await db.batch([
    db.prepare(`select max(0, ?1 - ${OUTSTANDING}) as room`).bind(capacity),
    db
      .prepare(
        `select id from (
           select id, row_number() over (partition by account_id order by random()) as turn
           from (
             select * from (
               select id, account_id from webhooks where ${SUSPENDED} ${whereRoom(-1)})
             union all select * from (
               select id, account_id from webhooks where ${OWED} ${whereRoom(-1)})))
         order by turn, random() limit min(?2, max(0, ?1 - ${OUTSTANDING}))`,
      )
      .bind(capacity, limit),
  ])) as [D1Result<{ room: number }>, D1Result<{ id: string }>]
  return { room: room.results[0]!.room, ids: owing.results.map(({ id }) => id) }
}

/** The first of the listed for which something holds, as many as there is room for. */
const chosen = (which: string, list: string) => `(select webhooks.id from json_each(${list}) v
  cross join webhooks on webhooks.id = v.value
  where ${which} limit max(0, ?2 - ${OUTSTANDING}))`

/**
 * The statements that take those of `ids` out of `capacity` for which there is room, each owed a
 * sync of a revision of its own, and make the syncs that are owed, with their places. In one batch
 * of any number of parallel sweeps one makes each. The second returns the ids of the syncs.
 */
export function resumeStatements(
  db: D1Database,
  ids: readonly string[],
  { now, capacity }: { now: Instant; capacity: number },
): D1PreparedStatement[] {
  const list = JSON.stringify(ids)

  return [
    db
      .prepare(
        `update webhooks set state = 'active', version = version + 1, revision = revision + 1,
           needs_sync = 1
         where id in ${chosen(SUSPENDED, '?1')}`,
      )
      .bind(list, capacity),
    db.prepare(insertRepeat('sync', `w.id in ${chosen(OWED, '?3')}`)).bind(now, capacity, list),
    reserveInserted(db),
    db
      .prepare(
        `update webhooks set synced_revision = revision
         where changes() > 0 and id in (select value from json_each(?2)) and ${OWED}
           and exists (select 1 from deliveries d
             where d.webhook_id = webhooks.id and d.type = 'sync' and d.${OPEN}
               and d.revision = webhooks.revision and d.created_at = ?1)`,
      )
      .bind(now, list),
  ]
}
