import { type Context, Hono } from 'hono'
import { createBody, deliveriesQuery, editBody } from '../../../shared/alerts/alert-bodies.ts'
import { ALERT_LIMIT } from '../../../shared/alerts/alert.ts'
import { openKeyring } from '../../../shared/crypto/keyring.ts'
import { createAlert } from '../../../shared/db/alerts/create.ts'
import { editAlert } from '../../../shared/db/alerts/edit.ts'
import { findAlert, listAlerts } from '../../../shared/db/alerts/read.ts'
import { testAlert } from '../../../shared/db/alerts/test-alert.ts'
import { removeWebhook } from '../../../shared/db/webhooks/remove.ts'
import { rotateSecret } from '../../../shared/db/webhooks/rotate.ts'
import { openField } from '../../../shared/db/webhooks/sealed-fields.ts'
import { enqueue } from '../../../shared/webhooks/enqueue.ts'
import { emptyBody, versionBody } from '../../../shared/webhooks/webhook-bodies.ts'
import type { ManagementContext, ManagementDeps } from './context.ts'
import { unavailable } from '../../../shared/http-error.ts'
import { readJson } from './json-body.ts'
import { refuseQuery } from '../../../shared/query.ts'
import { parseQuery, readDeliveries } from './delivery-routes.ts'
import { webhookContextOf } from './webhook-routes.ts'
import { parse } from './validate.ts'
import { alertRefusal } from './alert-refusals.ts'
import { alertDeliveryView, alertView } from './alert-view.ts'

const ALL = '/api/v2/alerts'
/** Other ids are no alert's: they are not asked for. */
const ONE = `${ALL}/:id{[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}}`

const RETRY_SEALED_SECONDS = 60

/** A test that goes by e-mail is no delivery. */
const BY_EMAIL = { id: null, deliveryId: null }

/** The management of an account's alerts. */
export function alertRoutes(deps: ManagementDeps) {
  return new Hono<ManagementContext>()
    .get(`${ALL}/deliveries`, (c) => answerAlertDeliveries(c))
    .route('/', allAlertsRoutes(deps))
    .route('/', oneAlertRoutes(deps))
    .route('/', alertActionRoutes(deps))
}

function allAlertsRoutes(deps: ManagementDeps) {
  return new Hono<ManagementContext>()
    .get(ALL, async (c) => {
      refuseQuery(c.req.raw)
      const alerts = await listAlerts(c.env.DB, c.env.accountId, deps.now())
      return c.json({ alerts: alerts.map(alertView), limit: ALERT_LIMIT })
    })

    .post(ALL, async (c) => {
      const body = parse(createBody, await readJson(c.req.raw))
      const created = await createAlert(webhookContextOf(c, deps), c.env.accountId, body)
      if (!created.ok) throw alertRefusal(created.refusal)

      const { alert, secret, isNew } = created.value
      const answer = { alert: alertView(alert), ...(secret !== null && { secret }) }
      return c.json({ ...answer, reconciled: !isNew }, isNew ? 201 : 200)
    })
}

function oneAlertRoutes(deps: ManagementDeps) {
  return new Hono<ManagementContext>()
    .get(ONE, async (c) => {
      refuseQuery(c.req.raw)
      const alert = await findAlert(c.env.DB, c.env.accountId, c.req.param('id'), deps.now())
      if (!alert) throw alertRefusal('not_found')
      if (alert.channel === 'email') return c.json({ alert: { ...alertView(alert), url: null } })

      const keyring = openKeyring(c.env.KEY_ENCRYPTION_KEYS)
      const url = await openField(keyring, alert.id, 'url', alert.sealed.url)
      if (url === null)
        throw unavailable('La URL de la alerta no se puede leer ahora', RETRY_SEALED_SECONDS)
      return c.json({ alert: { ...alertView(alert), url } })
    })

    .patch(ONE, async (c) => {
      const body = parse(editBody, await readJson(c.req.raw))
      const context = webhookContextOf(c, deps)
      const edited = await editAlert(context, c.env.accountId, c.req.param('id'), body)
      if (!edited.ok) throw alertRefusal(edited.refusal)

      return c.json({ alert: alertView(edited.value), reconciled: false })
    })

    .delete(ONE, async (c) => {
      const { version } = parse(versionBody, await readJson(c.req.raw))
      const alert = { id: c.req.param('id'), accountId: c.env.accountId, version }
      const removed = await removeWebhook(c.env.DB, alert, 'alert')
      if (!removed.ok) throw alertRefusal(removed.refusal)

      return c.json({ deleted: true })
    })
}

function alertActionRoutes(deps: ManagementDeps) {
  return new Hono<ManagementContext>()
    .post(`${ONE}/rotate-secret`, async (c) => {
      const { version } = parse(versionBody, await readJson(c.req.raw))
      const id = c.req.param('id')
      const context = webhookContextOf(c, deps)
      const rotated = await rotateSecret(context, c.env.accountId, { id, version }, 'alert')
      if (!rotated.ok) throw alertRefusal(rotated.refusal)

      const alert = await findAlert(c.env.DB, c.env.accountId, id, context.now)
      if (!alert) throw alertRefusal('not_found')
      const { secret } = rotated.value
      return c.json({ alert: alertView(alert), secret, reconciled: false })
    })

    .post(`${ONE}/test`, async (c) => {
      parse(emptyBody, await readJson(c.req.raw, { optional: true }))
      const queued = await testAlert(webhookContextOf(c, deps), c.env.accountId, c.req.param('id'))
      if (!queued.ok) throw alertRefusal(queued.refusal)

      const test = queued.value
      if (test) await enqueue({ queue: c.env.DELIVERIES }, [{ id: test.id }])
      return c.json({ ...(test ?? BY_EMAIL), status: 'pending' }, 202)
    })
}

async function answerAlertDeliveries(c: Context<ManagementContext>) {
  const { alertId: webhookId, ...filters } = parseQuery(deliveriesQuery, c)
  const { deliveries, nextCursor } = await readDeliveries(c, { webhookId, ...filters }, 'alert')
  return c.json({ deliveries: deliveries.map(alertDeliveryView), nextCursor })
}
