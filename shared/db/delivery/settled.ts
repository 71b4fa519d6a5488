import type { Instant } from '../../argentine-time.ts'
import type { Claim } from './claim.ts'
import { OPEN } from './open.ts'

/** Whose attempt a settle is about. */
export type Fence = Pick<Claim, 'id' | 'token' | 'webhookId' | 'type'>

/** Whether the settle was the one that counted, and what of the webhook is to be announced next. */
export interface Settled {
  /** False when the lease had passed to someone else, or the row is gone. */
  settled: boolean
  status: string | null
  next: { id: number; at: Instant } | null
}

interface Head {
  status: string | null
  own_at: Instant | null
  id: number | null
  head_status: string | null
  at: Instant | null
}

/**
 * Runs the statements of a settle in one batch, the first of which settles the row, and reads with
 * them what comes next: the row itself when it waits for another attempt, else the first open row
 * of its webhook's order.
 */
export async function settle(
  db: D1Database,
  { id, webhookId, type }: Fence,
  statements: D1PreparedStatement[],
): Promise<Settled> {
  const results = await db.batch<Head>([...statements, readHead(db, id, webhookId)])
  const head = results.at(-1)!.results[0]!

  return {
    settled: results[0]!.meta.changes === 1,
    status: head.status,
    next: nextOf(head, id, type),
  }
}

function nextOf(head: Head, id: number, type: Fence['type']): Settled['next'] {
  if (head.status === 'failed' || head.status === 'pending') return { id, at: head.own_at! }
  if (type === 'manual' || head.id === null || head.head_status === 'sending') return null
  return { id: head.id, at: head.at! }
}

function readHead(db: D1Database, id: number, webhookId: string): D1PreparedStatement {
  return db
    .prepare(
      `select own.status, own.next_attempt_at as own_at, head.id, head.status as head_status,
         head.next_attempt_at as at
       from (select min(id) as id from (${first('automatic')} union all ${first('sync')})) f
         left join deliveries own on own.id = ?1
         left join deliveries head on head.id = f.id`,
    )
    .bind(id, webhookId)
}

function first(type: Claim['type']): string {
  return `select min(id) as id from deliveries where webhook_id = ?2 and type = '${type}' and ${OPEN}`
}
