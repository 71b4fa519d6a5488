import { openKeyring } from '../../../../shared/crypto/keyring.ts'
import { listDeliveries } from '../../../../shared/subscriptions/deliveries.ts'
import {
  openSubscriptionContext,
  type SubscriptionContext,
} from '../../../../shared/subscriptions/context.ts'
import { openField } from '../../../../shared/subscriptions/sealed-fields.ts'
import type { StoredSubscription } from '../../../../shared/subscriptions/row.ts'
import type { SubscriptionKind } from '../../../../shared/webhooks/webhook.ts'
import type { Deps } from '../../context.ts'
import { HttpError } from '../../errors.ts'
import type { Signed } from '../frame.ts'

const DELIVERIES_SHOWN = 10

/** The API's rules of subscriptions, with the site's configuration. */
export function contextOf(
  { env, req }: Signed & { req: { url: string } },
  { now, random }: Deps,
): SubscriptionContext {
  return openSubscriptionContext(env, { now: now(), random, requestUrl: req.url })
}

/** Deliveries of a subscription: the last ones before the cursor `after`, or the one with an id. */
export async function deliveriesOf(
  { env, var: { signedIn } }: Signed,
  { kind, subscriptionId }: { kind: SubscriptionKind; subscriptionId: string },
  { after, deliveryId }: { after?: number | undefined; deliveryId?: string } = {},
) {
  const query = { subscriptionId, after, deliveryId, limit: DELIVERIES_SHOWN }
  const page = await listDeliveries(env.DB, signedIn.accountId, query, kind)
  if (!page.ok) throw new HttpError(404, 'Esas entregas ya no están')

  return page.value
}

/** The URL, which only its owner sees; empty when there is none or it cannot be opened. */
export async function storedUrl(
  { env }: Signed,
  { id, sealed }: StoredSubscription,
): Promise<string> {
  return (await openField(openKeyring(env.KEY_ENCRYPTION_KEYS), id, 'url', sealed.url)) ?? ''
}
