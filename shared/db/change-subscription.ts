/** Edits, new secrets and deletions of a webhook or an alert. */
import type { AlertRule } from '../alerts/alert.ts'
import type { Instant } from '../argentine-time.ts'
import { ok, refuse, type Result } from '../result.ts'
import type { EditPlan, SubscriptionKind } from '../webhooks/webhook.ts'
import { dropFirings, updateRule } from './alerts.ts'
import { cancelWaiting } from './deliveries/settle.ts'
import { namedBatch, type Statement } from './named-batch.ts'
import type { Own, SealedFields } from './subscriptions.ts'

/** What an edit writes, if the subscription still has the version on which the edit is based. */
export interface EditedRow extends Own, EditPlan {
  version: number
  kind: SubscriptionKind
  /** The maximum of enabled subscriptions of this kind in the account. */
  limit: number
  pair: number
  destination: string | null
  /** The fields that change; null removes a field. */
  sealed: Partial<SealedFields>
  now: Instant
}

/**
 * The statements of an edit, a pause or an activation. When a revision starts, they cancel the
 * waiting deliveries of the prior revision and drop unreported firings. The statements after
 * `written` act only if `written` did.
 */
export function editStatements(
  db: D1Database,
  row: EditedRow,
  rule: { rule: AlertRule; restarts: boolean } | null,
) {
  const { id, startsRevision, now } = row
  const written: Statement<{ id: string }> = db
    .prepare(
      `update subscriptions set pair = ?1 ->> 'pair', destination = ?1 ->> 'destination',
         url_sealed = iif(?1 -> '$.sealed.url' is null, url_sealed, ?1 ->> '$.sealed.url'),
         authorization_sealed = iif(?1 -> '$.sealed.authorization' is null, authorization_sealed,
           ?1 ->> '$.sealed.authorization'),
         state = ?1 ->> 'state',
         sync = case when kind = 'alert' or ?1 ->> 'state' not in ('active', 'capacity') then null
           when ?1 ->> 'startsRevision' then 'owed' else sync end,
         version = version + 1, revision = revision + ?1 ->> 'startsRevision',
         consecutive_failures = iif(?1 ->> 'activates', 0, consecutive_failures)
       where id = ?1 ->> 'id' and account_id = ?1 ->> 'accountId' and version = ?1 ->> 'version'
         and (not ?1 ->> 'activates' or (select count(*) from subscriptions
           where account_id = ?1 ->> 'accountId' and kind = ?1 ->> 'kind'
             and state in ('active', 'capacity')) < ?1 ->> 'limit')
       returning id`,
    )
    .bind(JSON.stringify(row))
  return {
    dropped: rule && startsRevision ? [dropFirings(db, row)] : [],
    written,
    ruled: rule ? [updateRule(db, { id, startsRevision, ...rule })] : [],
    cancelled: startsRevision ? [cancelWaiting(db, id, now)] : [],
    moved: startsRevision ? [moveRedeliveries(db, id)] : [],
  }
}

/** Sends open redeliveries to the subscription's new destination. */
function moveRedeliveries(db: D1Database, id: string): Statement {
  return db
    .prepare(
      `update deliveries set destination = (select w.destination from subscriptions w where w.id = ?1)
       where subscription_id = ?1 and redelivered and resolved_at is null
         and status in ('pending', 'failed')`,
    )
    .bind(id)
}

/** The statement that writes a new secret, unless an attempt with the old secret is in flight. */
export function replaceSecret(
  db: D1Database,
  row: Own & { version: number; secret: string; now: Instant },
): Statement<{ id: string }> {
  return db
    .prepare(
      `update subscriptions set secret_sealed = ?1 ->> 'secret', version = version + 1
       where id = ?1 ->> 'id' and account_id = ?1 ->> 'accountId' and version = ?1 ->> 'version'
         and not exists (select 1 from deliveries d where d.subscription_id = ?1 ->> 'id'
           and d.resolved_at is null and d.status = 'sending' and d.lease_until > ?1 ->> 'now')
       returning id`,
    )
    .bind(JSON.stringify(row))
}

/**
 * Deletes a subscription with its secrets at once. A trigger deletes its deliveries; its notice and
 * the rule of an alert are deleted by cascade. An attempt in flight then finds no row to settle.
 */
export async function removeSubscription(
  db: D1Database,
  { id, accountId, version }: Own & { version: number },
  kind: SubscriptionKind,
): Promise<Result<null, 'version_changed' | 'not_found'>> {
  const { deleted, left } = await namedBatch(db, {
    deleted: db
      .prepare(
        `delete from subscriptions
         where id = ?1 and account_id = ?2 and kind = ?3 and version = ?4 returning id`,
      )
      .bind(id, accountId, kind, version),
    left: db
      .prepare(`select 1 from subscriptions where id = ?1 and account_id = ?2 and kind = ?3`)
      .bind(id, accountId, kind),
  })
  if (deleted.results.length === 1) return ok(null)
  return refuse(left.results.length === 1 ? 'version_changed' : 'not_found')
}
