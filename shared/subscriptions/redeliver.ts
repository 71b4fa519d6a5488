/** Redelivery of finished deliveries: the same rows, ids and bytes. */
import type { Instant } from '../argentine-time.ts'
import { OPEN_REDELIVERIES } from '../limits.ts'
import { openOfAccount, RETENTION_MS, STALE_MS, TAKES_REDELIVERIES } from '../db/deliveries/open.ts'
import { OUTSTANDING, reserveInserted } from '../db/deliveries/counts.ts'
import { inCatalogue } from '../db/in-catalogue.ts'
import { isShown } from '../db/is-shown.ts'
import { ok, refuse, type Result } from '../result.ts'
import { madeAt } from '../webhooks/delivery-id.ts'
import type { SubscriptionKind } from '../webhooks/webhook.ts'
import { withDeliveryId } from '../db/deliveries/insert.ts'
import type { SubscriptionContext } from './context.ts'
import type { SubscriptionRefusal } from './refusal.ts'
import type { QueuedDelivery } from './kind.ts'

/** How many more may be opened. */
const placesLeft = (accountId: string) =>
  `(${OPEN_REDELIVERIES} - ${openOfAccount(accountId, 'p.redelivery is not null')})`

/**
 * The fields that a redelivery at `?1` sets: a fresh schedule, and the subscription's current
 * destination.
 */
const REOPENED = `status = 'pending', attempts = 0, releases = 0, code = null,
  error_type = null, resolved_at = null, next_attempt_at = ?1, look_at = ?1 + ${STALE_MS},
  destination = (select w.destination from subscriptions w where w.id = deliveries.subscription_id)`

const IS_KEPT = `d.created_at > ?1 - ${RETENTION_MS} and ${inCatalogue('d.pair')}`

/** The row that explains why nothing was opened. */
interface Found {
  channel: 'https' | 'email'
  takes: 0 | 1
}

/** Opens one delivery again, outside the order. Of concurrent calls one succeeds. */
export async function redeliver(
  { db, now, capacity, admitted }: SubscriptionContext,
  kind: SubscriptionKind,
  { accountId, deliveryId }: { accountId: string; deliveryId: string },
): Promise<Result<QueuedDelivery, SubscriptionRefusal>> {
  const own = `subscriptions w join deliveries d on ${withDeliveryId('w.id', '?4', '?3')}
    where w.account_id = ?2 and ${isShown(kind, 'w')} and ${IS_KEPT}`
  const of = [now, accountId, deliveryId, madeAt(deliveryId)]
  const [opened, , found] = (await db.batch([
    db
      .prepare(
        `update deliveries set redelivery = 'alone', ${REOPENED}
         where id = (select d.id from ${own} and d.resolved_at is not null
             and ${TAKES_REDELIVERIES} and ${placesLeft('?2')} > 0)
           and ${OUTSTANDING} < ?5 and ?6
         returning id, delivery_id as deliveryId`,
      )
      .bind(...of, capacity, Number(admitted)),
    reserveInserted(db),
    db
      .prepare(
        `select w.channel, ${TAKES_REDELIVERIES} as takes, d.resolved_at is null as isOpen from ${own}`,
      )
      .bind(...of),
  ])) as [D1Result<QueuedDelivery>, D1Result, D1Result<Found & { isOpen: 0 | 1 }>]

  const [row] = opened.results
  if (row) return ok(row)
  const [delivery] = found.results
  if (!delivery) return refuse('delivery_not_found')
  return refuse(delivery.isOpen ? 'delivery_open' : reasonOf(delivery, admitted))
}

export interface Redelivered {
  /** The first of them, to enqueue. Each of the others follows the previous one. */
  first: QueuedDelivery[]
  redelivered: number
  /** How many dead or cancelled deliveries since then are left. */
  remaining: number
}

/**
 * Opens the dead and cancelled deliveries of a subscription that were made since an instant, the oldest
 * first: they go out in their order, one at a time. Tests are left out.
 */
export async function redeliverSince(
  { db, now, capacity, admitted }: SubscriptionContext,
  kind: SubscriptionKind,
  { accountId, id, since }: { accountId: string; id: string; since: Instant },
): Promise<Result<Redelivered, SubscriptionRefusal>> {
  const own = `w.id = ?2 and w.account_id = ?3 and ${isShown(kind, 'w')}`
  const missed = `d.subscription_id = ?2 and d.created_at >= ?4
    and d.status in ('dead', 'cancelled') and d.type <> 'manual' and ${IS_KEPT}`
  const of = [now, id, accountId, since]
  const [opened, , found] = (await db.batch([
    db
      .prepare(
        `update deliveries set redelivery = 'in order', ${REOPENED}
         where id in (select d.id from deliveries d where ${missed} and ?6
           and exists (select 1 from subscriptions w where ${own} and ${TAKES_REDELIVERIES})
           order by d.id
           limit max(0, min(${placesLeft('?3')}, ?5 - ${OUTSTANDING})))
         returning id, delivery_id as deliveryId`,
      )
      .bind(...of, capacity, Number(admitted)),
    reserveInserted(db),
    db
      .prepare(
        `select w.channel, ${TAKES_REDELIVERIES} as takes,
           (select count(*) from deliveries d where ${missed}) as remaining
         from subscriptions w where ${own}`,
      )
      .bind(...of),
  ])) as [D1Result<QueuedDelivery>, D1Result, D1Result<Found & { remaining: number }>]

  const [subscription] = found.results
  if (!subscription) return refuse('not_found')
  const rows = opened.results.toSorted((a, b) => a.id - b.id)
  const { takes, remaining } = subscription
  if (rows.length === 0 && (!takes || !admitted || remaining > 0))
    return refuse(reasonOf(subscription, admitted))
  return ok({ first: rows.slice(0, 1), redelivered: rows.length, remaining })
}

function reasonOf({ channel, takes }: Found, admitted: boolean): SubscriptionRefusal {
  if (channel === 'email') return 'by_email'
  if (!takes) return 'paused'
  return admitted ? 'capacity_exhausted' : 'admission_closed'
}
