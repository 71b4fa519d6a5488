import type { Instant } from '../../argentine-time.ts'
import { ok, refuse, type Result } from '../../result.ts'
import { type EditPlan, WEBHOOK_LIMIT } from '../../webhooks/webhook.ts'
import { releaseCancelled } from '../deliveries/capacity.ts'
import { inCatalogue } from '../in-catalogue.ts'
import { OPEN } from '../deliveries/open.ts'
import {
  COLUMNS,
  type SealedFields,
  type StoredWebhook,
  toWebhook,
  type WebhookRow,
} from './row.ts'
import { makeOwedSync } from '../deliveries/webhook-sync.ts'

export interface WebhookEdit {
  id: string
  accountId: string
  /** The version that `plan` was worked out from. */
  version: number
  plan: EditPlan
  pair: number
  destination: string
  sealed: SealedFields
}

export type EditRefusal = 'not_found' | 'version_changed' | 'limit_reached'

/**
 * Writes an edit if the webhook still has the version it was planned from, so that of any number
 * at once one succeeds. In the same batch the waiting deliveries of the prior revision are
 * cancelled and the sync is made. `announce` lists the deliveries to announce.
 */
export async function editWebhook(
  db: D1Database,
  { id, accountId, version, plan, pair, destination, sealed }: WebhookEdit,
  { now, capacity, admitted }: { now: Instant; capacity: number; admitted: boolean },
): Promise<Result<{ webhook: StoredWebhook; announce: number[] }, EditRefusal>> {
  const cancels = plan.startsRevision ? cancelWaiting(db, id, now) : []
  const syncs = plan.wantsSync && admitted ? makeOwedSync(db, { webhookId: id, now, capacity }) : []

  const results = await db.batch<WebhookRow>([
    db
      .prepare(
        `update webhooks set pair = ?4, destination = ?5, url_sealed = ?6,
           authorization_sealed = ?7, secret_sealed = ?8, enabled = ?9, state = ?10,
           needs_sync = coalesce(?11, needs_sync), version = version + 1, revision = revision + ?12,
           episode = episode + ?13,
           consecutive_failures = case when ?13 then 0 else consecutive_failures end
         where id = ?1 and account_id = ?2 and version = ?3 and (not ?13 or (
           select count(*) from webhooks where account_id = ?2 and enabled = 1 and ${inCatalogue('pair')}) < ${WEBHOOK_LIMIT})
         returning id`,
      )
      .bind(
        id,
        accountId,
        version,
        pair,
        destination,
        sealed.url,
        sealed.authorization,
        sealed.secret,
        Number(plan.enabled),
        plan.state,
        plan.needsSync === null ? null : Number(plan.needsSync),
        Number(plan.startsRevision),
        Number(plan.activates),
      ),
    ...cancels,
    ...syncs,
    db
      .prepare(`select ${COLUMNS} from webhooks where id = ?1 and account_id = ?2`)
      .bind(id, accountId),
  ])

  const row = results.at(-1)!.results[0]
  if (!row) return refuse('not_found')
  if (results[0]!.results.length === 0)
    return refuse(row.version === version ? 'limit_reached' : 'version_changed')

  const made = syncs.length > 0 ? results[1 + cancels.length]!.results : []
  return ok({
    webhook: toWebhook(row),
    announce: (made as unknown as { id: number }[]).map(({ id }) => id),
  })
}

/** Cancels what waits of a webhook that the statement before changed; tests go on (decision 43). */
function cancelWaiting(db: D1Database, id: string, now: Instant): D1PreparedStatement[] {
  return [
    db
      .prepare(
        `update deliveries set status = 'cancelled', resolved_at = ?2
         where changes() = 1 and webhook_id = ?1 and type in ('automatic', 'sync') and ${OPEN}
           and status in ('pending', 'failed')`,
      )
      .bind(id, now),
    releaseCancelled(db),
  ]
}
