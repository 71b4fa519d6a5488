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
import { CLOCKS_APART_MS } from '../db/deliveries/insert.ts'

type Table = typeof deliveries.$inferSelect
type Shown = Pick<
  Table,
  | 'id'
  | 'deliveryId'
  | 'subscriptionId'
  | 'destination'
  | 'type'
  | 'status'
  | 'attempts'
  | 'code'
  | 'errorType'
  | 'createdAt'
  | 'lastAttemptAt'
  | 'resolvedAt'
  | 'redelivery'
>

export type Delivery = Shown & { pair: Pair }

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

const SHOWN = `json_object('id', id, 'deliveryId', delivery_id, 'subscriptionId', subscription_id, 'pair', pair,
  'destination', destination, 'type', type, 'status', status, 'attempts', attempts, 'code', code,
  'errorType', error_type, 'createdAt', created_at, 'lastAttemptAt', last_attempt_at,
  'resolvedAt', resolved_at, 'redelivery', redelivery)`

/**
 * SQL of the id of the last row made before an instant: a binary search, because ids grow with
 * time. It reads one row per bit of the number of ids.
 */
const lastBefore = (instant: string) => `(with recursive search(low, span) as (
    select 0, (select max(id) from deliveries) union all
    select low + (span + 1) / 2 * coalesce((select created_at < ${instant} from deliveries
      where id >= low + (span + 1) / 2 order by id limit 1), 0), span / 2
    from search where span > 0)
  select low from search where span = 0)`

/**
 * SQL of the rows `d` that may have been made at an instant or later, even by a slightly wrong
 * clock.
 */
export function madeAfter(instant: string): string {
  return `d.id > ${lastBefore(`${instant} - ${CLOCKS_APART_MS}`)}`
}

/** The same of an instant alone. An index of delivery ids would cost every delivery a row. */
export function madeAround(instant: string): string {
  return `${madeAfter(instant)} and d.id <= ${lastBefore(`${instant} + ${CLOCKS_APART_MS}`)}`
}

/** The rows around the instant of a delivery id, after a cursor. */
const OF_ID = `${madeAround('?4')} and d.id < coalesce(?2, 9e15) and d.delivery_id = ?7`

const OF_ANY_ID = `d.id < coalesce(?2, 9e15) and ?4 is null and ?7 is null`

/**
 * A page of an account's deliveries of a kind, newest first. Ids only grow, so pages neither repeat nor skip
 * rows while others are added and pruned. A cursor to a row that is gone, or of another account, is
 * refused.
 */
export async function listDeliveries(
  db: D1Database,
  accountId: string,
  query: DeliveryQuery,
  kind: SubscriptionKind,
): Promise<Result<DeliveryPage, 'cursor_not_found'>> {
  const { subscriptionId = null, deliveryId = null, status = null, after = null, limit } = query
  const instant = deliveryId === null ? null : madeAt(deliveryId)
  // An id that does not exist gives no rows, because `?7` is not null.
  const ofId = instant === null ? OF_ANY_ID : OF_ID

  const [cursor, page] = (await db.batch([
    db.prepare(`select 1 from deliveries where id = ?1 and account_id = ?2`).bind(after, accountId),
    // The newest of each webhook, because rows are indexed by webhook.
    db
      .prepare(
        `select (select json_group_array(${SHOWN}) from (
             select * from deliveries d
             where d.subscription_id = w.id and ${ofId} and (?5 is null or d.status = ?5)
               and ${inCatalogue('d.pair')}
             order by d.id desc limit ?6)) as newest
         from subscriptions w where w.account_id = ?1 and (?3 is null or w.id = ?3)
           and w.kind = ?8`,
      )
      .bind(accountId, after, subscriptionId, instant, status, limit + 1, deliveryId, kind),
  ])) as [D1Result, D1Result<{ newest: string }>]
  if (after !== null && cursor.results.length === 0) return refuse('cursor_not_found')

  const newest = page.results
    .flatMap((row) => JSON.parse(row.newest) as (Shown & { pair: number })[])
    .toSorted((a, b) => b.id - a.id)
  const shown = newest.slice(0, limit)
  return ok({
    deliveries: shown.map((row) => ({ ...row, pair: pairById(row.pair)! })),
    next: newest.length > limit ? shown.at(-1)!.id : null,
  })
}
