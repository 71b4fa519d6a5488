import { pairKey } from '../../../../shared/market/catalog.ts'
import { listDeliveries } from '../../../../shared/db/deliveries/list.ts'
import { openWebhookContext, type WebhookContext } from '../../../../shared/db/webhooks/context.ts'
import { openField } from '../../../../shared/db/webhooks/sealed-fields.ts'
import { findWebhook } from '../../../../shared/db/webhooks/read.ts'
import type { StoredWebhook } from '../../../../shared/db/webhooks/row.ts'
import { openKeyring } from '../../../../shared/crypto/keyring.ts'
import type { Deps } from '../../context.ts'
import { HttpError, webhookNotFound } from '../../errors.ts'
import type { Signed } from '../frame.ts'
import type { WebhookValues } from './webhook-fields.tsx'

const DELIVERIES_SHOWN = 10

/** The API's rules of webhooks, with the site's configuration. */
export function webhookContextOf(
  { env, req }: Signed & { req: { url: string } },
  { now, random }: Deps,
): WebhookContext {
  return openWebhookContext(env, { now: now(), random, requestUrl: req.url })
}

/** A webhook of the signed-in account; any other is not there. */
export async function ownWebhook({ env, var: { signedIn } }: Signed, id: string) {
  const webhook = await findWebhook(env.DB, signedIn.accountId, id)
  if (!webhook) throw webhookNotFound()

  return webhook
}

/** The last deliveries of a webhook, from the one after `after` on. */
export async function recentDeliveries(
  { env, var: { signedIn } }: Signed,
  webhookId: string,
  after?: number,
) {
  const query = { webhookId, after, limit: DELIVERIES_SHOWN }
  const page = await listDeliveries(env.DB, signedIn.accountId, query)
  if (!page.ok) throw new HttpError(404, 'Esas entregas ya no están')

  return page.value
}

/** One delivery of a webhook, by the id that its receiver sees. */
export async function deliveryOf(
  { env, var: { signedIn } }: Signed,
  webhookId: string,
  deliveryId: string,
) {
  const query = { webhookId, deliveryId, limit: 1 }
  const page = await listDeliveries(env.DB, signedIn.accountId, query)
  return page.ok ? page.value.deliveries[0] : undefined
}

/**
 * The initial values of the edit form. The owner sees the URL; it is empty when it cannot be
 * opened.
 */
export async function storedValues(
  { env }: Signed,
  webhook: StoredWebhook,
): Promise<WebhookValues> {
  const keyring = openKeyring(env.KEY_ENCRYPTION_KEYS)
  const url = await openField(keyring, webhook.id, 'url', webhook.sealed.url)
  return { par: pairKey(webhook.pair), url: url ?? '' }
}
