/** Syncs that webhooks are owed, and webhooks suspended until there is capacity for theirs. */
import type { Instant } from '../../argentine-time.ts'
import { OUTSTANDING, reserveInserted } from './counts.ts'
import { insertRepeat, repeatBodies } from './insert.ts'
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

const whereRoom = (condition: string) =>
  `select id, account_id from subscriptions where ${OUTSTANDING} < ?1 and ${condition}`

/**
 * The statement that lists at most `limit` webhooks that are owed a sync or suspended, as many as there
 * is capacity for. Every account gets one before any gets two, in random order, so that nobody is
 * always the last. Without capacity it reads no webhook.
 */
export function listOwing(db: D1Database, capacity: number, limit: number): D1PreparedStatement {
  return db
    .prepare(
      `select id from (
         select id, row_number() over (partition by account_id order by random()) as turn
         from (${whereRoom(SUSPENDED)} union all ${whereRoom(OWED_NOW)}))
       order by turn, random() limit max(0, min(?2, ?1 - ${OUTSTANDING}))`,
    )
    .bind(capacity, limit)
}

/** The first of the listed that meet a condition, as many as there is capacity for. */
const chosen = (
  condition: string,
  list: string,
) => `(select subscriptions.id from json_each(${list}) v
  join subscriptions on subscriptions.id = v.value
  where ${condition} limit max(0, ?2 - ${OUTSTANDING}))`

/**
 * Makes the syncs that webhooks of `ids` are owed while there is capacity, of the values that were
 * read before: once per revision, however often it is asked for. Where the value has changed since it
 * stays owed. The first statement returns the ids of the syncs.
 */
function makeSyncs(
  db: D1Database,
  ids: readonly string[],
  { now, capacity, values }: Making,
): D1PreparedStatement[] {
  const list = JSON.stringify(ids)
  return [
    db
      .prepare(insertRepeat('sync', `w.id in ${chosen(OWED_NOW, '?4')}`))
      .bind(now, capacity, repeatBodies('sync', values, now), list),
    reserveInserted(db),
    db
      .prepare(
        `update subscriptions set synced_revision = revision
         where changes() > 0 and id in (select value from json_each(?2)) and ${OWED_NOW}
           and exists (select 1 from deliveries d where d.subscription_id = subscriptions.id
             and d.${OPEN} and d.type = 'sync' and d.revision = subscriptions.revision
             and d.created_at = ?1)`,
      )
      .bind(now, list),
  ]
}

/** Makes the sync of one webhook; without capacity it is suspended in the same mutation. */
export function makeOwedSync(db: D1Database, id: string, making: Making): D1PreparedStatement[] {
  return [
    ...makeSyncs(db, [id], making),
    db
      .prepare(
        `update subscriptions set state = 'capacity'
         where id = ?1 and ${OWED_NOW} and ${OUTSTANDING} >= ?2`,
      )
      .bind(id, making.capacity),
  ]
}

/**
 * Resumes suspended webhooks of `ids` while there is capacity, each owed a sync of a new revision,
 * and makes the syncs that are owed; the second statement returns their ids. Of parallel sweeps one
 * makes each.
 */
export function resumeStatements(
  db: D1Database,
  ids: readonly string[],
  making: Making,
): D1PreparedStatement[] {
  return [
    db
      .prepare(
        `update subscriptions set state = 'active', version = version + 1, revision = revision + 1,
           needs_sync = 1
         where id in ${chosen(SUSPENDED, '?1')}`,
      )
      .bind(JSON.stringify(ids), making.capacity),
    ...makeSyncs(db, ids, making),
  ]
}
