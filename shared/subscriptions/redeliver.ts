/** Redelivery of finished deliveries: the same rows, ids and bytes. */
import type { Instant } from '../argentine-time.ts'
import type { QueuedDelivery } from '../db/deliveries/insert.ts'
import { type Redeliverable, reopenOne, reopenSince } from '../db/deliveries/redeliver.ts'
import type { Own } from '../db/subscriptions.ts'
import { ok, refuse, type Result } from '../result.ts'
import type { SubscriptionKind } from '../webhooks/webhook.ts'
import type { SubscriptionContext } from './context.ts'
import type { SubscriptionRefusal } from './refusal.ts'

/** Opens one delivery again. Of concurrent calls one succeeds. */
export async function redeliver(
  { db, now, capacity, admitted }: SubscriptionContext,
  kind: SubscriptionKind,
  own: { accountId: string; deliveryId: string },
): Promise<Result<QueuedDelivery, SubscriptionRefusal>> {
  const { opened, found } = await reopenOne(db, { ...own, kind, capacity, admitted, now })
  if (opened) return ok(opened)
  if (!found) return refuse('delivery_not_found')
  return refuse(found.isOpen ? 'delivery_open' : reasonOf(found, admitted))
}

export interface Redelivered {
  /** The first delivery, to enqueue. Each later one is claimed when the one before it ends. */
  first: QueuedDelivery[]
  redelivered: number
  /** The number of remaining dead or cancelled deliveries since then. */
  remaining: number
}

/**
 * Opens the dead and cancelled deliveries of a subscription that were made since an instant, the
 * oldest first: they go out in their order, one at a time. Tests are left out.
 */
export async function redeliverSince(
  { db, now, capacity, admitted }: SubscriptionContext,
  kind: SubscriptionKind,
  own: Own & { since: Instant },
): Promise<Result<Redelivered, SubscriptionRefusal>> {
  const { opened, found } = await reopenSince(db, { ...own, kind, capacity, admitted, now })
  if (!found) return refuse('not_found')
  const { takes, remaining } = found
  if (opened.length === 0 && (!takes || !admitted || remaining > 0))
    return refuse(reasonOf(found, admitted))
  return ok({ first: opened.slice(0, 1), redelivered: opened.length, remaining })
}

function reasonOf({ channel, takes }: Redeliverable, admitted: boolean): SubscriptionRefusal {
  if (channel === 'email') return 'by_email'
  if (!takes) return 'paused'
  return admitted ? 'capacity_exhausted' : 'admission_closed'
}
