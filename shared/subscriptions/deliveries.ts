/**
 * The deliveries of an account's webhooks or alerts as their owner may see them: no body, no URL,
 * no lease.
 */
import { type Pair, pairById } from '../market/catalog.ts'
import { ok, refuse, type Result } from '../result.ts'
import { madeAt } from '../webhooks/delivery-id.ts'
import type { SubscriptionKind } from '../webhooks/webhook.ts'
import { inCatalogue } from '../db/in-catalogue.ts'
import type { deliveries } from '../db/schema.ts'
import { withDeliveryId } from '../db/deliveries/insert.ts'

type Table = typeof deliveries.$inferSelect
/** What is shown of a row. */
const COLUMNS = {
  id: 'id',
  deliveryId: 'delivery_id',
  subscriptionId: 'subscription_id',
  pair: 'pair',
  destination: 'destination',
  type: 'type',
  status: 'status',
  attempts: 'attempts',
  code: 'code',
  errorType: 'error_type',
  createdAt: 'created_at',
  lastAttemptAt: 'last_attempt_at',
  resolvedAt: 'resolved_at',
  redelivery: 'redelivery',
} as const satisfies Partial<Record<keyof Table, string>>

type Shown = Pick<Table, keyof typeof COLUMNS>

export type Delivery = Omit<Shown, 'pair'> & { pair: Pair }

export interface DeliveryQuery {
  subscriptionId?: string | undefined
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

const SHOWN = `json_object(${Object.entries(COLUMNS).map(([name, column]) => `'${name}', ${column}`)})`

/**
 * A page of an account's deliveries of a kind, newest first. A cursor to a row that is gone, or not of
 * such a delivery, is refused.
 */
export async function listDeliveries(
  db: D1Database,
  accountId: string,
  query: DeliveryQuery,
  kind: SubscriptionKind,
): Promise<Result<DeliveryPage, 'cursor_not_found'>> {
  const { subscriptionId = null, deliveryId = null, status = null, after = null, limit } = query
  const isWanted =
    deliveryId === null
      ? 'd.subscription_id = w.id and ?5 is null and ?8 is null'
      : withDeliveryId('w.id', '?8', '?5')
  const madeAtOf = deliveryId === null ? null : madeAt(deliveryId)

  const [cursor, page] = (await db.batch([
    db
      .prepare(
        `select 1 from deliveries d join subscriptions w on w.id = d.subscription_id
         where d.id = ?1 and w.account_id = ?2 and w.kind = ?3`,
      )
      .bind(after, accountId, kind),
    db
      .prepare(
        `select (select json_group_array(${SHOWN}) from (
             select * from deliveries d
             where ${isWanted} and (?4 is null or d.status = ?4) and (?2 is null
                 or (d.created_at, d.id) < (select created_at, id from deliveries where id = ?2))
               and ${inCatalogue('d.pair')}
             order by d.created_at desc, d.id desc limit ?6)) as newest
         from subscriptions w where w.account_id = ?1 and (?3 is null or w.id = ?3)
           and w.kind = ?7`,
      )
      .bind(accountId, after, subscriptionId, status, deliveryId, limit + 1, kind, madeAtOf),
  ])) as [D1Result, D1Result<{ newest: string }>]
  if (after !== null && cursor.results.length === 0) return refuse('cursor_not_found')

  const newest = page.results
    .flatMap((row) => JSON.parse(row.newest) as Shown[])
    .toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id)
  const shown = newest.slice(0, limit)
  return ok({
    deliveries: shown.map((row) => ({ ...row, pair: pairById(row.pair)! })),
    next: newest.length > limit ? shown.at(-1)!.id : null,
  })
}
