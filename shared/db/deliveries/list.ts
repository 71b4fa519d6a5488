/** The deliveries of an account's webhooks or of its alerts, as its owner may see them: no body, no URL, no lease. */
import { type Pair, pairById } from '../../market/catalog.ts'
import { ok, refuse, type Result } from '../../result.ts'
import { isOfKind, type Kind, pairIdOf } from '../kind.ts'
import type { deliveries } from '../schema.ts'

type Table = typeof deliveries.$inferSelect
type Shown = Pick<
  Table,
  | 'id'
  | 'deliveryId'
  | 'webhookId'
  | 'destination'
  | 'type'
  | 'status'
  | 'attempts'
  | 'code'
  | 'errorType'
  | 'createdAt'
  | 'lastAttemptAt'
  | 'resolvedAt'
>

export type Delivery = Shown & { pair: Pair }

export interface DeliveryQuery {
  webhookId?: string | undefined
  deliveryId?: string | undefined
  status?: string | undefined
  /** The id of the last delivery of the page before. */
  after?: number | undefined
  limit: number
}

export interface DeliveryPage {
  deliveries: Delivery[]
  /** The last id of this page when there are more. */
  next: number | null
}

/**
 * A page of an account's deliveries of a kind, newest first. Ids only grow, so pages neither repeat nor skip
 * rows while others are added and pruned. A cursor to a row that is gone, or of another account, is
 * refused.
 */
export async function listDeliveries(
  db: D1Database,
  accountId: string,
  query: DeliveryQuery,
  kind: Kind = 'webhook',
): Promise<Result<DeliveryPage, 'cursor_not_found'>> {
  const { webhookId = null, deliveryId = null, status = null, after = null, limit } = query
  // A delivery id is unique, so its index finds the row without scanning the account's rows.
  const source = deliveryId === null ? 'deliveries' : 'deliveries indexed by deliveries_delivery_id'

  const [cursor, page] = (await db.batch([
    db.prepare(`select 1 from deliveries where id = ?1 and account_id = ?2`).bind(after, accountId),
    db
      .prepare(
        `select id, delivery_id as deliveryId, webhook_id as webhookId, pair, destination, type,
           status, attempts, code, error_type as errorType, created_at as createdAt,
           last_attempt_at as lastAttemptAt, resolved_at as resolvedAt
         from ${source}
         where account_id = ?1 and id < coalesce(?2, 9e15) and (?3 is null or webhook_id = ?3)
           ${deliveryId === null ? 'and ?4 is null' : 'and delivery_id = ?4'}
           and (?5 is null or status = ?5) and ${isOfKind(kind, 'pair')}
         order by id desc limit ?6`,
      )
      .bind(accountId, after, webhookId, deliveryId, status, limit + 1),
  ])) as [D1Result, D1Result<Shown & { pair: number }>]
  if (after !== null && cursor.results.length === 0) return refuse('cursor_not_found')

  const shown = page.results.slice(0, limit)
  return ok({
    deliveries: shown.map((row) => ({ ...row, pair: pairById(pairIdOf(row.pair))! })),
    next: page.results.length > limit ? shown.at(-1)!.id : null,
  })
}
