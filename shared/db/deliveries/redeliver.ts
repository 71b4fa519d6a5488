/** Redelivers finished deliveries: the same rows, ids and bytes, with a new retry schedule. */
import type { Instant } from '../../argentine-time.ts'
import { OPEN_REDELIVERIES } from '../../limits.ts'
import { ok, refuse, type Result } from '../../result.ts'
import { madeAt } from '../../webhooks/delivery.ts'
import type { SubscriptionKind } from '../../webhooks/webhook.ts'
import { namedBatch, type Statement } from '../named-batch.ts'
import type { Own } from '../subscriptions.ts'
import { RETENTION_MS, STALE_MS } from './claim.ts'
import type { QueuedDelivery } from './insert.ts'

interface RedeliveryContext {
  db: D1Database
  capacity: number
  admitted: boolean
  now: Instant
}

/** The state of a subscription that decides whether its deliveries can be reopened. */
interface Redeliverable {
  isByEmail: 0 | 1
  /** Whether it accepts redeliveries: it is enabled and has a URL. */
  takes: 0 | 1
}

type Refusal = 'by_email' | 'paused' | 'capacity_exhausted' | 'admission_closed'

/** Reopens one delivery. Of concurrent calls, only one succeeds. */
export async function redeliver(
  { db, capacity, admitted, now }: RedeliveryContext,
  kind: SubscriptionKind,
  own: { accountId: string; deliveryId: string },
): Promise<Result<QueuedDelivery, Refusal | 'delivery_not_found' | 'delivery_open'>> {
  const request = { ...own, kind, capacity, admitted, now, madeAt: madeAt(own.deliveryId) }
  const given = JSON.stringify(request)
  const { opened, found } = await namedBatch(db, {
    opened: db
      .prepare(
        `update deliveries set redelivered = 1, status = 'pending', attempts = 0, releases = 0,
           code = null, error_type = null, resolved_at = null, next_attempt_at = ?1 ->> 'now',
           look_at = ?1 ->> 'now' + ${STALE_MS},
           destination = (select destination from subscriptions where id = subscription_id)
         where id = (select id from owned_deliveries
             where account_id = ?1 ->> 'accountId' and kind = ?1 ->> 'kind'
               and created_at = ?1 ->> 'madeAt' and delivery_id = ?1 ->> 'deliveryId'
               and takes and resolved_at is not null
               and created_at > ?1 ->> 'now' - ${RETENTION_MS})
           and (select count(*) from owned_deliveries where account_id = ?1 ->> 'accountId'
             and resolved_at is null and redelivered) < ${OPEN_REDELIVERIES}
           and (select outstanding from open_deliveries) < ?1 ->> 'capacity' and ?1 ->> 'admitted'
         returning id, delivery_id as deliveryId`,
      )
      .bind(given) as Statement<QueuedDelivery>,
    found: db
      .prepare(
        `select is_by_email as isByEmail, takes, resolved_at is null as isOpen from owned_deliveries
         where account_id = ?1 ->> 'accountId' and kind = ?1 ->> 'kind'
           and created_at = ?1 ->> 'madeAt' and delivery_id = ?1 ->> 'deliveryId'
           and created_at > ?1 ->> 'now' - ${RETENTION_MS}`,
      )
      .bind(given) as Statement<Redeliverable & { isOpen: 0 | 1 }>,
  })
  const [queued] = opened.results
  if (queued) return ok(queued)
  const [delivery] = found.results
  if (!delivery) return refuse('delivery_not_found')
  return refuse(delivery.isOpen ? 'delivery_open' : reasonOf(delivery, admitted))
}

export interface Redelivered {
  /** The first delivery, to enqueue. Each later delivery is claimed when the previous one ends. */
  first: QueuedDelivery[]
  redelivered: number
  /** The number of deliveries since `since` that are still dead or cancelled. */
  remaining: number
}

/**
 * Reopens the dead and cancelled deliveries of a subscription since an instant, except tests. They
 * go out one at a time, the oldest first.
 */
export async function redeliverSince(
  { db, capacity, admitted, now }: RedeliveryContext,
  kind: SubscriptionKind,
  own: Own & { since: Instant },
): Promise<Result<Redelivered, Refusal | 'not_found'>> {
  const given = JSON.stringify({ ...own, kind, capacity, admitted, now })
  const { opened, found } = await namedBatch(db, {
    opened: db
      .prepare(
        `update deliveries set redelivered = 1, status = 'pending', attempts = 0, releases = 0,
           code = null, error_type = null, resolved_at = null, next_attempt_at = ?1 ->> 'now',
           look_at = ?1 ->> 'now' + ${STALE_MS},
           destination = (select destination from subscriptions where id = subscription_id)
         where id in (
           select d.id from subscriptions w join deliveries d on d.subscription_id = w.id
           where w.id = ?1 ->> 'id' and w.account_id = ?1 ->> 'accountId' and w.kind = ?1 ->> 'kind'
             and w.destination is not null and w.state in ('active', 'capacity')
             and d.created_at >= max(?1 ->> 'since', ?1 ->> 'now' - ${RETENTION_MS} + 1)
             and d.status in ('dead', 'cancelled') and d.type <> 'manual' and ?1 ->> 'admitted'
           order by d.id
           limit max(0, min(
             ${OPEN_REDELIVERIES} - (select count(*) from owned_deliveries
               where account_id = ?1 ->> 'accountId' and resolved_at is null
                 and redelivered),
             ?1 ->> 'capacity' - (select outstanding from open_deliveries))))
         returning id, delivery_id as deliveryId`,
      )
      .bind(given) as Statement<QueuedDelivery>,
    found: db
      .prepare(
        `select w.destination is null as isByEmail,
           w.destination is not null and w.state in ('active', 'capacity') as takes, (
             select count(*) from deliveries d where d.subscription_id = w.id
               and d.created_at >= max(?1 ->> 'since', ?1 ->> 'now' - ${RETENTION_MS} + 1)
               and d.status in ('dead', 'cancelled') and d.type <> 'manual') as remaining
         from subscriptions w
         where w.id = ?1 ->> 'id' and w.account_id = ?1 ->> 'accountId'
           and w.kind = ?1 ->> 'kind'`,
      )
      .bind(given) as Statement<Redeliverable & { remaining: number }>,
  })
  const [subscription] = found.results
  if (!subscription) return refuse('not_found')
  const { takes, remaining } = subscription
  const queued = opened.results.toSorted((a, b) => a.id - b.id)
  if (queued.length === 0 && (!takes || !admitted || remaining > 0))
    return refuse(reasonOf(subscription, admitted))
  return ok({ first: queued.slice(0, 1), redelivered: queued.length, remaining })
}

function reasonOf({ isByEmail, takes }: Redeliverable, admitted: boolean): Refusal {
  if (isByEmail) return 'by_email'
  if (!takes) return 'paused'
  return admitted ? 'capacity_exhausted' : 'admission_closed'
}
