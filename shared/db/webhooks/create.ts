import type { Instant } from '../../argentine-time.ts'
import { ok, refuse, type Result } from '../../result.ts'
import { WEBHOOK_LIMIT } from '../../webhooks/webhook.ts'
import { inCatalogue } from '../in-catalogue.ts'
import {
  COLUMNS,
  type SealedFields,
  type StoredWebhook,
  toWebhook,
  type WebhookRow,
} from './row.ts'

export interface NewWebhook {
  id: string
  accountId: string
  operationId: string
  pair: number
  destination: string
  sealed: SealedFields
  enabled: boolean
  createdAt: Instant
}

/**
 * Makes a webhook, or gives the one that the same operation made before. Of any number at once
 * one makes it, and no account creates past the limit: the insertion counts by itself. An account
 * that was deleted in the meantime gets none.
 */
export async function createWebhook(
  db: D1Database,
  webhook: NewWebhook,
): Promise<Result<{ webhook: StoredWebhook; created: boolean }, 'limit_reached'>> {
  const { id, accountId, operationId, pair, destination, sealed, enabled, createdAt } = webhook

  const [inserted, stored] = (await db.batch([
    db
      .prepare(
        `insert into webhooks (id, account_id, operation_id, pair, destination, url_sealed,
           authorization_sealed, secret_sealed, enabled, state, source, version, revision, episode,
           consecutive_failures, needs_sync, created_at)
         select ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 'v2', 1, 1, 1, 0, 0, ?11
         where (select count(*) from webhooks where account_id = ?2 and ${inCatalogue('pair')}) < ${WEBHOOK_LIMIT}
           and exists (select 1 from accounts where id = ?2)
         on conflict (account_id, operation_id) do nothing
         returning id`,
      )
      .bind(
        id,
        accountId,
        operationId,
        pair,
        destination,
        sealed.url,
        sealed.authorization,
        sealed.secret,
        Number(enabled),
        enabled ? 'active' : 'manual',
        createdAt,
      ),
    db
      .prepare(
        `select ${COLUMNS} from webhooks where account_id = ?1 and operation_id = ?2 and ${inCatalogue('pair')}`,
      )
      .bind(accountId, operationId),
  ])) as [D1Result, D1Result<WebhookRow>]

  const row = stored.results[0]
  if (!row) return refuse('limit_reached')
  return ok({ webhook: toWebhook(row), created: inserted.results.length === 1 })
}
