/**
 * The row of `open_deliveries` counts open deliveries, and those that ended in the current five minutes,
 * which a trigger moves to `delivery_tallies`. Each statement here counts the `changes()` of the one
 * before it in its batch, and changes one row when there were any.
 */
import { HOUR_MS, type Instant, MINUTE_MS } from '../../argentine-time.ts'
import { MAY_DELIVER } from '../installation.ts'
import { OPEN } from './open.ts'

/** The period of one tally. */
export const TALLY_MS = 5 * MINUTE_MS

/** SQL of a table of all tallies, `at`, `delivered` and `dead`; the last `at` may be there twice. */
export const TALLIES = `(select at, delivered, dead from delivery_tallies
  union all select tally_at, delivered, dead from open_deliveries)`

/** The number of open deliveries, as an SQL expression. */
export const OUTSTANDING = `(select outstanding from open_deliveries)`

const LESS = `max(0, outstanding - changes())`

/** Reads no row when the statement before changed none. */
const IF_CHANGED = `where id = iif(changes() > 0, 1, null)`

/** Reserves a place for each row that the statement before inserted or opened. */
export const reserveInserted = (db: D1Database) =>
  db.prepare(`update open_deliveries set outstanding = outstanding + changes() ${IF_CHANGED}`)

/** Gives back a place for each row that the statement before cancelled. */
export const releaseCancelled = (db: D1Database) =>
  db.prepare(`update open_deliveries set outstanding = ${LESS} ${IF_CHANGED}`)

const tallyOf = (now: Instant) => now - (now % TALLY_MS)

/** What a column counts is of its five minutes, so others begin at 0. */
const counted = (column: 'delivered' | 'dead') => `iif(tally_at = ?1, ${column}, 0)`

/** Gives back the places of the rows that the statement before delivered, and tallies them. */
export function tallyDelivered(db: D1Database, now: Instant): D1PreparedStatement {
  const tally = db.prepare(
    `update open_deliveries set outstanding = ${LESS}, tally_at = ?1,
       delivered = ${counted('delivered')} + changes(), dead = ${counted('dead')}
     ${IF_CHANGED}`,
  )
  return tally.bind(tallyOf(now))
}

/** Gives back the place of the row that the statement before wrote, if that ended it, and tallies it. */
export function tallyEnded(db: D1Database, id: number, now: Instant): D1PreparedStatement {
  const tally = db.prepare(
    `update open_deliveries set (outstanding, tally_at, delivered, dead) = (
       select max(0, outstanding - (resolved_at is not null)), ?1, ${counted('delivered')},
         ${counted('dead')} + (status = 'dead') from deliveries where id = ?2)
     ${IF_CHANGED}`,
  )
  return tally.bind(tallyOf(now), id)
}

export interface DeliveryCounters {
  /** 0 in a copy that nobody let deliver. */
  mayDeliver: 0 | 1
  /** Open deliveries. */
  outstanding: number
  /** When the oldest open one was made, redeliveries aside; null when there is none. */
  oldestWaitingAt: Instant | null
  /** In the last hour, to five minutes. */
  deliveredLastHour: number
  deadLastHour: number
}

/** Two indexes have the open rows by age: a common one would cost every delivery one more written row. */
const oldestOf = (rows: string) =>
  `select * from (select created_at from deliveries where ${rows} and ${OPEN} order by id limit 1)`

/** Reads the counters in one round trip and at most 20 rows, however many deliveries wait. */
export async function deliveryCounters(db: D1Database, now: Instant): Promise<DeliveryCounters> {
  const counters = await db
    .prepare(
      `select ${MAY_DELIVER} as mayDeliver, ${OUTSTANDING} as outstanding, (select min(created_at) from (
           ${oldestOf('look_at is null')} union all
           ${oldestOf('look_at is not null and redelivery is null')})) as oldestWaitingAt,
         coalesce(sum(delivered), 0) as deliveredLastHour, coalesce(sum(dead), 0) as deadLastHour
       from ${TALLIES} where at > ?1`,
    )
    .bind(now - HOUR_MS - TALLY_MS)
    .first<DeliveryCounters>()
  return counters!
}
