import type { Instant } from '../../argentine-time.ts'
import { ok, refuse, type Result } from '../../result.ts'
import { OPEN } from '../deliveries/open.ts'
import {
  COLUMNS,
  type SealedFields,
  type StoredWebhook,
  toWebhook,
  type WebhookRow,
} from './row.ts'

export type RotateRefusal = 'not_found' | 'version_changed' | 'send_in_flight'

/**
 * Replaces a webhook's secret at once, unless an attempt holds its lease: its signature would be
 * under a secret that no longer is. What waits goes out under the new one.
 */
export async function rotateSecret(
  db: D1Database,
  target: { id: string; accountId: string; version: number; sealed: SealedFields },
  now: Instant,
): Promise<Result<StoredWebhook, RotateRefusal>> {
  const { id, accountId, version, sealed } = target

  const [updated, stored] = (await db.batch([
    db
      .prepare(
        `update webhooks set url_sealed = ?4, authorization_sealed = ?5, secret_sealed = ?6,
           version = version + 1
         where id = ?1 and account_id = ?2 and version = ?3 and not exists (
           select 1 from deliveries d
           where d.webhook_id = ?1 and d.${OPEN} and d.status = 'sending' and d.lease_until > ?7)
         returning id`,
      )
      .bind(id, accountId, version, sealed.url, sealed.authorization, sealed.secret, now),
    db
      .prepare(`select ${COLUMNS} from webhooks where id = ?1 and account_id = ?2`)
      .bind(id, accountId),
  ])) as [D1Result, D1Result<WebhookRow>]

  const row = stored.results[0]
  if (!row) return refuse('not_found')
  if (updated.results.length === 0)
    return refuse(row.version === version ? 'send_in_flight' : 'version_changed')
  return ok(toWebhook(row))
}
