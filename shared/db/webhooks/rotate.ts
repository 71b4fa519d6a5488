import { toHex } from '../../crypto/hex.ts'
import { ok, refuse, type Result } from '../../result.ts'
import { SECRET_BYTES } from '../../webhooks/webhook.ts'
import { endedUpTo, OPEN } from '../deliveries/open.ts'
import type { Kind } from '../kind.ts'
import type { WebhookContext } from './context.ts'
import { findWebhook } from './read.ts'
import {
  COLUMNS,
  type SealedFields,
  type StoredWebhook,
  toWebhook,
  type WebhookRow,
} from './row.ts'
import { resealFields } from './sealed-fields.ts'

export type RotateRefusal = 'not_found' | 'version_changed' | 'send_in_flight'

/** Gives a webhook a new secret. The old one stops working at once. */
export async function rotateSecret(
  context: WebhookContext,
  accountId: string,
  { id, version }: { id: string; version: number },
  kind: Kind = 'webhook',
): Promise<Result<{ webhook: StoredWebhook; secret: string }, RotateRefusal>> {
  const { db, keyring, random } = context

  const webhook = await findWebhook(db, accountId, id, kind)
  if (!webhook) return refuse('not_found')
  if (webhook.version !== version) return refuse('version_changed')

  const secret = toHex(random(SECRET_BYTES))
  const sealed = await resealFields(keyring, id, webhook.sealed, { secret })
  const rotated = await writeSecret(context, { id, accountId, version, sealed })
  return rotated.ok ? ok({ webhook: rotated.value, secret }) : rotated
}

const IS_SENT = `d.${OPEN} and d.status = 'sending' and d.lease_until > ?7`

/**
 * Replaces the secret unless an attempt holds its lease: that attempt would be signed with a secret
 * that is gone. Waiting deliveries go out under the new one.
 */
async function writeSecret(
  { db, now }: WebhookContext,
  target: { id: string; accountId: string; version: number; sealed: SealedFields },
): Promise<Result<StoredWebhook, RotateRefusal>> {
  const { id, accountId, version, sealed } = target

  const [updated, stored] = (await db.batch([
    db
      .prepare(
        `update webhooks set url_sealed = ?4, authorization_sealed = ?5, secret_sealed = ?6,
           version = version + 1
         where id = ?1 and account_id = ?2 and version = ?3
           and not exists (select 1 from deliveries d
             where d.webhook_id = ?1 and d.id > ${endedUpTo('?1')} and ${IS_SENT})
           and not exists (select 1 from deliveries d indexed by deliveries_tests
             where d.webhook_id = ?1 and d.type = 'manual' and ${IS_SENT})
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
