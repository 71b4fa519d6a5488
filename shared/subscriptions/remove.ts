import { ok, refuse, type Result } from '../result.ts'
import { OPEN } from '../db/deliveries/open.ts'
import type { SubscriptionRefusal } from './refusal.ts'
import type { SubscriptionKind } from '../webhooks/webhook.ts'

/**
 * Deletes a subscription with its secrets, deliveries and notices at once: the settle of an attempt in
 * flight then finds no row. The statements after the first act only if the subscription is gone. What an
 * alert watches goes with its row.
 */
export async function removeSubscription(
  db: D1Database,
  { id, accountId, version }: { id: string; accountId: string; version: number },
  kind: SubscriptionKind,
): Promise<Result<null, SubscriptionRefusal>> {
  const isGone = `not exists (select 1 from subscriptions where id = ?1)`
  const own = `id = ?1 and account_id = ?2 and kind = '${kind}'`
  const ofOwn = `subscription_id = ?1 and account_id = ?2`

  const results = await db.batch([
    db
      .prepare(`delete from subscriptions where ${own} and version = ?3 returning id`)
      .bind(id, accountId, version),
    db
      .prepare(
        `update open_deliveries set outstanding = max(0, outstanding - (
           select count(*) from deliveries where ${ofOwn} and ${OPEN}))
         where id = 1 and ${isGone}`,
      )
      .bind(id, accountId),
    db.prepare(`delete from deliveries where ${ofOwn} and ${isGone}`).bind(id, accountId),
    db.prepare(`delete from notices where subscription_id = ?1 and ${isGone}`).bind(id),
    db.prepare(`select 1 from subscriptions where ${own}`).bind(id, accountId),
  ])

  if (results[0]!.results.length === 1) return ok(null)
  return refuse(results.at(-1)!.results.length === 1 ? 'version_changed' : 'not_found')
}
