import { openKeyring } from '../../../../shared/crypto/keyring.ts'
import { findAlert } from '../../../../shared/db/alerts/read.ts'
import type { StoredAlert } from '../../../../shared/db/alerts/row.ts'
import { listDeliveries } from '../../../../shared/db/deliveries/list.ts'
import { openField } from '../../../../shared/db/webhooks/sealed-fields.ts'
import type { Deps } from '../../context.ts'
import { alertNotFound, HttpError } from '../../errors.ts'
import type { Signed } from '../frame.ts'
import { type AlertValues, valuesOf } from './alert-form.ts'

const DELIVERIES_SHOWN = 10

/** An alert of the signed-in account; any other is not there. */
export async function ownAlert(
  { env, var: { signedIn } }: Signed,
  { now }: Pick<Deps, 'now'>,
  id: string,
): Promise<StoredAlert> {
  const alert = await findAlert(env.DB, signedIn.accountId, id, now())
  if (!alert) throw alertNotFound()

  return alert
}

/** Deliveries of an alert: the last ones from the one after `after` on, or the one of an id. */
export async function alertDeliveries(
  { env, var: { signedIn } }: Signed,
  webhookId: string,
  { after, deliveryId }: { after?: number | undefined; deliveryId?: string | undefined } = {},
) {
  const query = { webhookId, after, deliveryId, limit: DELIVERIES_SHOWN }
  const page = await listDeliveries(env.DB, signedIn.accountId, query, 'alert')
  if (!page.ok) throw new HttpError(404, 'Esas entregas ya no están')

  return page.value
}

/** What the form of an edit starts with. The URL is its owner's to see; empty when it is lost. */
export async function storedValues({ env }: Signed, alert: StoredAlert): Promise<AlertValues> {
  if (alert.channel === 'email') return valuesOf(alert, '')

  const keyring = openKeyring(env.KEY_ENCRYPTION_KEYS)
  return valuesOf(alert, (await openField(keyring, alert.id, 'url', alert.sealed.url)) ?? '')
}
