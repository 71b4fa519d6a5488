import { type Context, Hono } from 'hono'
import { enqueue } from '../../../shared/webhooks/enqueue.ts'
import { createWebhook } from '../../../shared/db/webhooks/create.ts'
import { editWebhook } from '../../../shared/db/webhooks/edit.ts'
import { type WebhookContext, openWebhookContext } from '../../../shared/db/webhooks/context.ts'
import { rotateSecret } from '../../../shared/db/webhooks/rotate.ts'
import { openField } from '../../../shared/db/webhooks/sealed-fields.ts'
import { testWebhook } from '../../../shared/db/webhooks/test-delivery.ts'
import { findWebhook, listWebhooks } from '../../../shared/db/webhooks/read.ts'
import { removeWebhook } from '../../../shared/db/webhooks/remove.ts'
import { openKeyring } from '../../../shared/crypto/keyring.ts'
import { WEBHOOK_LIMIT } from '../../../shared/webhooks/webhook.ts'
import type { ManagementContext, ManagementDeps } from './context.ts'
import { unavailable } from '../../../shared/http-error.ts'
import { readJson } from './json-body.ts'
import { parse } from './validate.ts'
import {
  createBody,
  editBody,
  emptyBody,
  versionBody,
} from '../../../shared/webhooks/webhook-bodies.ts'
import { refusalError } from './webhook-refusals.ts'
import { webhookView } from './webhook-view.ts'

const ALL = '/api/v2/webhooks'
/** Other ids are no webhook's: they are not asked for. */
const ONE = `${ALL}/:id{[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}}`

const RETRY_SEALED_SECONDS = 60

/** The management of an account's webhooks. */
export function webhookRoutes(deps: ManagementDeps) {
  return new Hono<ManagementContext>()
    .route('/', allWebhooksRoutes(deps))
    .route('/', oneWebhookRoutes(deps))
    .route('/', webhookActionRoutes(deps))
}

function allWebhooksRoutes(deps: ManagementDeps) {
  return new Hono<ManagementContext>()
    .get(ALL, async (c) => {
      const webhooks = await listWebhooks(c.env.DB, c.env.accountId)
      return c.json({ webhooks: webhooks.map(webhookView), limit: WEBHOOK_LIMIT })
    })

    .post(ALL, async (c) => {
      const body = parse(createBody, await readJson(c.req.raw))
      const created = await createWebhook(webhookContextOf(c, deps), c.env.accountId, body)
      if (!created.ok) throw refusalError(created.refusal)

      const { webhook, secret } = created.value
      return secret === null
        ? c.json({ webhook: webhookView(webhook), reconciled: true })
        : c.json({ webhook: webhookView(webhook), secret, reconciled: false }, 201)
    })
}

function oneWebhookRoutes(deps: ManagementDeps) {
  return new Hono<ManagementContext>()
    .get(ONE, async (c) => {
      const webhook = await findWebhook(c.env.DB, c.env.accountId, c.req.param('id'))
      if (!webhook) throw refusalError('not_found')

      const keyring = openKeyring(c.env.KEY_ENCRYPTION_KEYS)
      const url = await openField(keyring, webhook.id, 'url', webhook.sealed.url)
      if (url === null)
        throw unavailable('La URL del webhook no se puede leer ahora', RETRY_SEALED_SECONDS)
      return c.json({ webhook: { ...webhookView(webhook), url } })
    })

    .patch(ONE, async (c) => {
      const body = parse(editBody, await readJson(c.req.raw))
      const edited = await editWebhook(
        webhookContextOf(c, deps),
        c.env.accountId,
        c.req.param('id'),
        body,
      )
      if (!edited.ok) throw refusalError(edited.refusal)

      const { webhook, due } = edited.value
      await enqueue({ queue: c.env.DELIVERIES }, due)
      return c.json({ webhook: webhookView(webhook), reconciled: false })
    })

    .delete(ONE, async (c) => {
      const { version } = parse(versionBody, await readJson(c.req.raw))
      const removed = await removeWebhook(c.env.DB, {
        id: c.req.param('id'),
        accountId: c.env.accountId,
        version,
      })
      if (!removed.ok) throw refusalError(removed.refusal)

      return c.json({ deleted: true })
    })
}

function webhookActionRoutes(deps: ManagementDeps) {
  return new Hono<ManagementContext>()
    .post(`${ONE}/rotate-secret`, async (c) => {
      const { version } = parse(versionBody, await readJson(c.req.raw))
      const rotated = await rotateSecret(webhookContextOf(c, deps), c.env.accountId, {
        id: c.req.param('id'),
        version,
      })
      if (!rotated.ok) throw refusalError(rotated.refusal)

      const { webhook, secret } = rotated.value
      return c.json({ webhook: webhookView(webhook), secret, reconciled: false })
    })

    .post(`${ONE}/test`, async (c) => {
      parse(emptyBody, await readJson(c.req.raw, { optional: true }))
      const queued = await testWebhook(
        webhookContextOf(c, deps),
        c.env.accountId,
        c.req.param('id'),
      )
      if (!queued.ok) throw refusalError(queued.refusal)

      await enqueue({ queue: c.env.DELIVERIES }, [{ id: queued.value.id }])
      return c.json({ ...queued.value, status: 'pending' }, 202)
    })
}

export function webhookContextOf(
  { env, req }: Context<ManagementContext>,
  { now, random }: ManagementDeps,
): WebhookContext {
  return openWebhookContext(env, { now: now(), random, requestUrl: req.url })
}
