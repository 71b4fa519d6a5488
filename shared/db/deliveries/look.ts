import type { Instant } from '../../argentine-time.ts'
import { FITS, headOf, LOOK_AGAIN_MS, OPEN } from './open.ts'
import type { Claim } from './claim.ts'

/** An open row whose announcement, or the last look at it, is a while ago. */
export interface LookedAt {
  id: number
  webhookId: string
  type: Claim['type']
  status: 'pending' | 'sending' | 'failed'
  attempts: number
  createdAt: Instant
  token: string | null
  leaseUntil: Instant | null
  nextAttemptAt: Instant
  /** Whether the webhook's revision and state still allow it. */
  fits: boolean
  /** The first open row of the webhook's order. */
  head: { id: number; status: string; nextAttemptAt: Instant } | null
}

interface Row {
  id: number
  webhook_id: string
  type: Claim['type']
  status: LookedAt['status']
  attempts: number
  created_at: Instant
  lease_token: string | null
  lease_until: Instant | null
  next_attempt_at: Instant
  fits: 0 | 1
  head_id: number | null
  head_status: string
  head_at: Instant
}

/** Rows that nobody has looked at since they were made, the oldest first. */
const unseen = (columns: string) => `select ${columns} from deliveries indexed by deliveries_look
  where hinted_at is null and ${OPEN}`

/**
 * The statement that finds at most `limit` rows due for a look, those never looked at first and
 * then the longest ago: fair turns, whatever the backlog. One that finds nothing reads three rows.
 */
export function findDueForLook(db: D1Database, now: Instant, limit: number): D1PreparedStatement {
  return db
    .prepare(
      `with due as (
         select id from (
           ${unseen('id, created_at')} order by id
           limit iif((${unseen('created_at')} order by id limit 1) <= ?1, ?2, 0))
         where created_at <= ?1
         union all
         select * from (select id from deliveries where hinted_at <= ?1 and ${OPEN}
           order by hinted_at limit ?2)
         limit ?2),
       looked as (
         select deliveries.*, ${FITS} as fits,
           ${headOf('deliveries.webhook_id')} as first_id
         from due join deliveries on deliveries.id = due.id)
       select looked.id, looked.webhook_id, looked.type, looked.status, looked.attempts,
         looked.created_at, looked.lease_token, looked.lease_until, looked.next_attempt_at, fits,
         head.id as head_id, head.status as head_status, head.next_attempt_at as head_at
       from looked left join deliveries head on head.id = first_id`,
    )
    .bind(now - LOOK_AGAIN_MS, limit)
}

export function lookedAtOf(result: D1Result): LookedAt[] {
  return (result.results as Row[]).map((row) => ({
    id: row.id,
    webhookId: row.webhook_id,
    type: row.type,
    status: row.status,
    attempts: row.attempts,
    createdAt: row.created_at,
    token: row.lease_token,
    leaseUntil: row.lease_until,
    nextAttemptAt: row.next_attempt_at,
    fits: row.fits === 1,
    head:
      row.head_id === null
        ? null
        : { id: row.head_id, status: row.head_status, nextAttemptAt: row.head_at },
  }))
}

/**
 * The statement that says when waiting rows were announced or looked at last; 0 asks for a look at
 * once.
 */
export function lookAgainStatement(
  db: D1Database,
  rows: readonly { id: number; at: Instant }[],
): D1PreparedStatement {
  return db
    .prepare(
      `update deliveries set hinted_at = v.at
       from (select value ->> 'id' as id, value ->> 'at' as at from json_each(?1)) v
       where deliveries.id = v.id and status in ('pending', 'failed')`,
    )
    .bind(JSON.stringify(rows))
}
