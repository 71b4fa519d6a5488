/** Syncs that webhooks are owed, and webhooks suspended until there is capacity for theirs. */
import type { Instant } from '../../argentine-time.ts'
import { OUTSTANDING, reserveInserted } from './outstanding.ts'
import { findValues, insertRepeat, repeatBodies } from './insert.ts'
import { headOf, OPEN } from './open.ts'

/**
 * An active webhook is owed a sync, and it was not made for this revision yet (decision 42: how
 * syncs end).
 */
const OWED = `needs_sync = 1 and synced_revision <> revision and state = 'active'`

/** The same of a pair that has a quote: the sync can be made. */
const OWED_NOW = `${OWED} and exists (select 1 from current_quotes q where q.pair = subscriptions.pair)`

/** Suspended for lack of capacity, with every earlier delivery ended. */
const SUSPENDED = `state = 'capacity' and ${headOf('subscriptions.id')} is null`

/** When syncs are made, for how many there is capacity, and the values in effect, as read before. */
interface Making {
  now: Instant
  capacity: number
  values: D1Result
}

/**
 * Makes the sync that an active webhook is owed, of the values that were read before, once per revision
 * however often it is asked for; when the value has changed since, it stays owed.
 * Without capacity the webhook is suspended in the same mutation; without a quote the sync stays
 * owed. The first statement returns the id of the new delivery.
 */
export function makeOwedSync(
  db: D1Database,
  { subscriptionId, now, capacity, values }: Making & { subscriptionId: string },
): D1PreparedStatement[] {
  return [
    db
      .prepare(insertRepeat('sync', `w.id = ?4 and ${OWED}`))
      .bind(now, capacity, repeatBodies('sync', values, now), subscriptionId),
    reserveInserted(db),
    db
      .prepare(
        `update subscriptions set synced_revision = revision where changes() = 1 and id = ?1 and ${OWED}`,
      )
      .bind(subscriptionId),
    db
      .prepare(
        `update subscriptions set state = 'capacity'
         where id = ?1 and ${OWED_NOW} and ${OUTSTANDING} >= ?2`,
      )
      .bind(subscriptionId, capacity),
  ]
}

/** Reads no row when there is no capacity. A negative limit is none. */
const whereFree = (rows: number) => `limit iif(${OUTSTANDING} < ?1, ${rows}, 0)`

/** The statement that tells whether a webhook is owed a sync or suspended, and there is capacity. */
export function findOwing(db: D1Database, capacity: number): D1PreparedStatement {
  return db
    .prepare(
      `select * from (select id from subscriptions where ${SUSPENDED} ${whereFree(1)})
       union all select * from (select id from subscriptions where ${OWED_NOW} ${whereFree(1)})`,
    )
    .bind(capacity)
}

/**
 * At most `limit` of these webhooks, as many as there is capacity for, and that capacity. Every
 * account gets one before any gets two, in random order, so that nobody is always the last. With them
 * the values in effect.
 */
export async function listOwing(
  db: D1Database,
  capacity: number,
  limit: number,
): Promise<{ free: number; ids: string[]; values: D1Result }> {
  const [free, values, owing] = (await db.batch([
    db.prepare(`select max(0, ?1 - ${OUTSTANDING}) as free`).bind(capacity),
    findValues(db),
    db
      .prepare(
        `select id from (
           select id, row_number() over (partition by account_id order by random()) as turn
           from (
             select * from (
               select id, account_id from subscriptions where ${SUSPENDED} ${whereFree(-1)})
             union all select * from (
               select id, account_id from subscriptions where ${OWED_NOW} ${whereFree(-1)})))
         order by turn, random() limit min(?2, max(0, ?1 - ${OUTSTANDING}))`,
      )
      .bind(capacity, limit),
  ])) as [D1Result<{ free: number }>, D1Result, D1Result<{ id: string }>]
  return { free: free.results[0]!.free, values, ids: owing.results.map(({ id }) => id) }
}

/** The first of the listed that meet a condition, as many as there is capacity for. */
const chosen = (
  condition: string,
  list: string,
) => `(select subscriptions.id from json_each(${list}) v
  join subscriptions on subscriptions.id = v.value
  where ${condition} limit max(0, ?2 - ${OUTSTANDING}))`

const HAS_SYNC = `exists (select 1 from deliveries d where d.subscription_id = subscriptions.id
  and d.${OPEN} and d.type = 'sync' and d.revision = subscriptions.revision and d.created_at = ?1)`

/**
 * Resumes suspended webhooks of `ids` while there is capacity, each owed a sync of a new revision,
 * and makes the syncs that are owed. Of parallel sweeps one makes each. The second statement
 * returns the ids of the syncs.
 */
export function resumeStatements(
  db: D1Database,
  ids: readonly string[],
  { now, capacity, values }: Making,
): D1PreparedStatement[] {
  const list = JSON.stringify(ids)

  return [
    db
      .prepare(
        `update subscriptions set state = 'active', version = version + 1, revision = revision + 1,
           needs_sync = 1
         where id in ${chosen(SUSPENDED, '?1')}`,
      )
      .bind(list, capacity),
    db
      .prepare(insertRepeat('sync', `w.id in ${chosen(OWED_NOW, '?4')}`))
      .bind(now, capacity, repeatBodies('sync', values, now), list),
    reserveInserted(db),
    db
      .prepare(
        `update subscriptions set synced_revision = revision
         where changes() > 0 and id in (select value from json_each(?2)) and ${OWED_NOW}
           and ${HAS_SYNC}`,
      )
      .bind(now, list),
  ]
}
