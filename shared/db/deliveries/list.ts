/** An account's deliveries as their owner may see them: without body, URL and lease. */
import { type Pair, pairById } from '../../market/catalog.ts'
import { ok, refuse, type Result } from '../../result.ts'
import { madeAt } from '../../webhooks/delivery.ts'
import type { SubscriptionKind } from '../../webhooks/webhook.ts'
import { namedBatch, type Statement } from '../named-batch.ts'
import type { deliveries } from '../schema.ts'
import { LEASE_MS } from './claim.ts'

type Table = typeof deliveries.$inferSelect
/** The columns of a row that are shown. */
type Shown = Pick<
  Table,
  | 'id'
  | 'deliveryId'
  | 'subscriptionId'
  | 'pair'
  | 'destination'
  | 'type'
  | 'status'
  | 'attempts'
  | 'code'
  | 'errorType'
  | 'createdAt'
  | 'lastAttemptAt'
  | 'resolvedAt'
  | 'redelivered'
>

export type Delivery = Omit<Shown, 'pair'> & { pair: Pair }

export interface DeliveryQuery {
  subscriptionId?: string | undefined
  deliveryId?: string | undefined
  status?: string | undefined
  /** The id of the last delivery on the previous page. */
  after?: number | undefined
  limit: number
}

export interface DeliveryPage {
  deliveries: Delivery[]
  /** The last id of this page if there is a next page. */
  next: number | null
}

/**
 * A page of an account's deliveries of one kind, newest first. Refuses a cursor whose row is gone,
 * or belongs to another account or kind.
 */
export async function listDeliveries(
  db: D1Database,
  accountId: string,
  { subscriptionId, deliveryId, status, after, limit }: DeliveryQuery,
  kind: SubscriptionKind,
): Promise<Result<DeliveryPage, 'cursor_not_found'>> {
  // For a delivery id, reads only one instant: the id contains the instant of its creation.
  const instant = deliveryId === undefined ? null : (madeAt(deliveryId) ?? -1)
  const query = {
    accountId,
    kind,
    subscriptionId,
    deliveryId,
    status,
    after,
    from: instant ?? 0,
    to: instant ?? Number.MAX_SAFE_INTEGER,
    limit: limit + 1,
  }
  const { cursor, page } = await namedBatch(db, {
    cursor: db
      .prepare(`select 1 from owned_deliveries where id = ?1 and account_id = ?2 and kind = ?3`)
      .bind(after ?? null, accountId, kind),
    page: db
      .prepare(
        `select (
           select json_group_array(json_object('id', id, 'deliveryId', delivery_id,
             'subscriptionId', subscription_id, 'pair', pair, 'destination', destination,
             'type', type, 'status', status, 'attempts', attempts, 'code', code,
             'errorType', error_type, 'createdAt', created_at, 'lastAttemptAt',
             coalesce(lease_until - ${LEASE_MS}, last_attempt_at), 'resolvedAt', resolved_at,
             'redelivered', redelivered))
           from (
             select * from deliveries d
             where d.subscription_id = w.id and d.created_at between ?1 ->> 'from' and ?1 ->> 'to'
               and (?1 ->> 'deliveryId' is null or d.delivery_id = ?1 ->> 'deliveryId')
               and (?1 ->> 'status' is null or d.status = ?1 ->> 'status')
               and (?1 ->> 'after' is null or (d.created_at, d.id) < (
                 select created_at, id from deliveries where id = ?1 ->> 'after'))
             order by d.created_at desc, d.id desc limit ?1 ->> 'limit')) as newest
         from subscriptions w
         where w.account_id = ?1 ->> 'accountId' and w.kind = ?1 ->> 'kind'
           and (?1 ->> 'subscriptionId' is null or w.id = ?1 ->> 'subscriptionId')`,
      )
      .bind(JSON.stringify(query)) as Statement<{ newest: string }>,
  })
  if (after !== undefined && cursor.results.length === 0) return refuse('cursor_not_found')

  const newest = page.results
    .flatMap((row) => JSON.parse(row.newest) as Shown[])
    .toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id)
  const shown = newest.slice(0, limit)
  return ok({
    deliveries: shown.map((row) => ({ ...row, pair: pairById(row.pair)! })),
    next: newest.length > limit ? newest[limit - 1]!.id : null,
  })
}
