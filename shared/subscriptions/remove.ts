import { deleteSubscription } from '../db/change-subscription.ts'
import type { Own } from '../db/subscriptions.ts'
import { ok, refuse, type Result } from '../result.ts'
import type { SubscriptionKind } from '../webhooks/webhook.ts'
import type { SubscriptionRefusal } from './refusal.ts'

/** Deletes a subscription and everything of it. */
export async function removeSubscription(
  db: D1Database,
  own: Own & { version: number },
  kind: SubscriptionKind,
): Promise<Result<null, SubscriptionRefusal>> {
  const deleted = await deleteSubscription(db, own, kind)
  return deleted === 'deleted' ? ok(null) : refuse(deleted)
}
