import type { Instant } from '../../../shared/argentine-time.ts'
import type { Claim } from '../../../shared/db/deliveries/claim.ts'
import { headOfOrder, IS_ELIGIBLE, OPEN, STALE_MS } from '../../../shared/db/deliveries/open.ts'

/** An open row that nobody sends, that a sweep has to look at. */
export interface StaleDelivery {
  id: number
  subscriptionId: string
  type: Claim['type']
  status: 'pending' | 'sending' | 'failed'
  redelivery: Claim['redelivery']
  attempts: number
  createdAt: Instant
  token: string | null
  nextAttemptAt: Instant
  isEligible: boolean
  /** When the row that is first of its order may go out; null when that is this one, or it is in none. */
  behindUntil: Instant | null
}

interface Row {
  id: number
  subscription_id: string
  type: Claim['type']
  status: StaleDelivery['status']
  redelivery: Claim['redelivery']
  attempts: number
  created_at: Instant
  lease_token: string | null
  next_attempt_at: Instant
  is_eligible: 0 | 1
  behind_until: Instant | null
}

/** Whether nobody is sending the row: a claim writes no index, so its lease is asked here. */
const IS_FREE = `(status <> 'sending' or lease_until <= ?3)`

const HEAD = `iif(deliveries.type = 'manual' or deliveries.redelivery = 'alone', null,
  ${headOfOrder('deliveries.subscription_id', 'deliveries.redelivery is not null')})`

/** A row behind another waits for that one's retry, and is enqueued when that one ends. */
const BEHIND_UNTIL = `(
  select iif(h.status = 'failed', max(h.next_attempt_at, ?3), ?3)
  from deliveries h where h.id = ${HEAD} and h.id <> deliveries.id)`

/** Rows that no sweep has seen since they were made. */
const unseen = (columns: string) => `select ${columns} from deliveries
  where look_at is null and ${OPEN}`

/**
 * The statement that finds at most `limit` stale rows: first those that no sweep has seen, then the
 * longest unseen. So every row has its turn, whatever the backlog. Without one it reads three rows.
 */
export function findStale(db: D1Database, now: Instant, limit: number): D1PreparedStatement {
  return db
    .prepare(
      `with due as (
         select id from (
           ${unseen('id, created_at')} and ${IS_FREE} order by id
           limit iif((${unseen('created_at')} order by id limit 1) <= ?1, ?2, 0))
         where created_at <= ?1
         union all
         select * from (select id from deliveries where look_at <= ?3 and ${OPEN} and ${IS_FREE}
           order by look_at limit ?2)
         limit ?2)
       select deliveries.id, subscription_id, type, status, redelivery, attempts,
         deliveries.created_at, lease_token, next_attempt_at, ${IS_ELIGIBLE} as is_eligible, ${BEHIND_UNTIL} as behind_until
       from due join deliveries on deliveries.id = due.id`,
    )
    .bind(now - STALE_MS, limit, now)
}

export function staleDeliveriesOf(result: D1Result): StaleDelivery[] {
  return (result.results as Row[]).map((row) => ({
    id: row.id,
    subscriptionId: row.subscription_id,
    type: row.type,
    status: row.status,
    redelivery: row.redelivery,
    attempts: row.attempts,
    createdAt: row.created_at,
    token: row.lease_token,
    nextAttemptAt: row.next_attempt_at,
    isEligible: row.is_eligible === 1,
    behindUntil: row.behind_until,
  }))
}

/**
 * The statement that marks waiting rows as enqueued, or seen by a sweep, at an instant. A sweep looks
 * at them again some time after it; at once after 0.
 */
export function markAnnounced(
  db: D1Database,
  rows: readonly { id: number; at: Instant }[],
): D1PreparedStatement {
  return db
    .prepare(
      `update deliveries set look_at = v.at + ${STALE_MS}
       from (select value ->> 'id' as id, value ->> 'at' as at from json_each(?1)) v
       where deliveries.id = v.id and status in ('pending', 'failed')`,
    )
    .bind(JSON.stringify(rows))
}
