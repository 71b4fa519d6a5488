import { type Context, Hono } from 'hono'
import { enqueue } from '../../../../shared/webhooks/enqueue.ts'
import { editWebhook, type WebhookEdit } from '../../../../shared/db/webhooks/edit.ts'
import { isAdmissionOpen } from '../../../../shared/db/webhooks/context.ts'
import { rotateSecret } from '../../../../shared/db/webhooks/rotate.ts'
import { testWebhook } from '../../../../shared/db/webhooks/test-delivery.ts'
import { removeWebhook } from '../../../../shared/db/webhooks/remove.ts'
import { isUuid } from '../../../../shared/crypto/uuid.ts'
import type { AccountContext, Deps } from '../../context.ts'
import { webhookNotFound } from '../../errors.ts'
import { readOwnForm } from '../forms.ts'
import { frame } from '../frame.ts'
import { DeleteWebhookPage, EditWebhookPage, RotateWebhookPage } from './change-pages.tsx'
import {
  deliveryOf,
  webhookContextOf,
  ownWebhook,
  recentDeliveries,
  storedValues,
} from './own-webhooks.ts'
import { refusalWords, type RefusalWords, type WebhookRefusal } from './refusal-words.ts'
import { AUTHORIZATION_INVALID, pairCodes, seenVersion } from './webhook-form.ts'
import { typedAuthorization, typedValues } from './webhook-form.ts'
import { WebhookPage } from './webhook-page.tsx'
import { WebhookSecretPage } from './webhook-secret-page.tsx'

type Here = Context<AccountContext, '/:id'>

/** What can be done with one webhook of the account. Another account's counts as not found. */
export function oneWebhookPages(deps: Deps) {
  return new Hono<AccountContext>()
    .use('/:id/*', async (c, next) => {
      if (!isUuid(c.req.param('id'))) throw webhookNotFound()
      await next()
    })
    .get('/:id', async (c) => c.html(<WebhookPage {...await webhookPage(c)} />))
    .post('/:id/pausar', (c) => switchTo(c, deps, false))
    .post('/:id/activar', (c) => switchTo(c, deps, true))
    .post('/:id/probar', async (c) => {
      await readOwnForm(c)
      const id = c.req.param('id')
      const queued = await testWebhook(webhookContextOf(c, deps), accountOf(c), id)
      if (!queued.ok) return refuseOnPage(c, wordsOf(queued.refusal))

      await enqueue({ queue: c.env.DELIVERIES }, [{ id: queued.value.id }])
      return c.redirect(`/cuenta/webhooks/${id}?prueba=${queued.value.deliveryId}`, 303)
    })
    .route('/', editPages(deps))
    .route('/', rotatePages(deps))
    .route('/', deletePages())
}

function editPages(deps: Deps) {
  return new Hono<AccountContext>()
    .get('/:id/editar', async (c) => {
      const webhook = await ownWebhook(c, c.req.param('id'))
      const values = await storedValues(c, webhook)
      return c.html(<EditWebhookPage {...await frame(c)} webhook={webhook} values={values} />)
    })
    .post('/:id/editar', async (c) => {
      const fields = await readOwnForm(c)
      const typed = typedValues(fields)
      const refuse = async ({ status, text }: RefusalWords) => {
        const webhook = await ownWebhook(c, c.req.param('id'))
        // A change made meanwhile is shown, not overwritten.
        const values = status === 409 ? await storedValues(c, webhook) : typed
        const page = { ...(await frame(c)), webhook, values, problem: text }
        return c.html(<EditWebhookPage {...page} />, status)
      }

      const authorization = typedAuthorization(fields)
      if (typeof authorization === 'object')
        return refuse({ status: 400, text: AUTHORIZATION_INVALID })

      const edited = await edit(c, deps, {
        version: seenVersion(fields),
        url: typed.url,
        ...pairCodes(typed.par),
        receiverAuthorization: authorization ?? (fields.quitar === undefined ? undefined : null),
      })
      if (!edited.ok) return refuse(wordsOf(edited.refusal))
      return c.redirect(`/cuenta/webhooks/${c.req.param('id')}?aviso=webhook-guardado`, 303)
    })
}

function rotatePages(deps: Deps) {
  return new Hono<AccountContext>()
    .get('/:id/rotar', async (c) => {
      const webhook = await ownWebhook(c, c.req.param('id'))
      return c.html(<RotateWebhookPage {...await frame(c)} webhook={webhook} />)
    })
    .post('/:id/rotar', async (c) => {
      const version = seenVersion(await readOwnForm(c))
      const id = c.req.param('id')
      const rotated = await rotateSecret(webhookContextOf(c, deps), accountOf(c), { id, version })
      if (rotated.ok) {
        const { webhook, secret } = rotated.value
        const page = { ...(await frame(c)), webhook, secret: secret! }
        return c.html(<WebhookSecretPage {...page} rotated />)
      }

      return refuseChange(c, RotateWebhookPage, rotated.refusal)
    })
}

function deletePages() {
  return new Hono<AccountContext>()
    .get('/:id/borrar', async (c) => {
      const webhook = await ownWebhook(c, c.req.param('id'))
      return c.html(<DeleteWebhookPage {...await frame(c)} webhook={webhook} />)
    })
    .post('/:id/borrar', async (c) => {
      const version = seenVersion(await readOwnForm(c))
      const id = c.req.param('id')
      const removed = await removeWebhook(c.env.DB, { id, accountId: accountOf(c), version })
      if (removed.ok) return c.redirect('/cuenta/webhooks?aviso=webhook-borrado', 303)

      return refuseChange(c, DeleteWebhookPage, removed.refusal)
    })
}

async function switchTo(c: Here, deps: Deps, enabled: boolean) {
  const version = seenVersion(await readOwnForm(c))
  const edited = await edit(c, deps, { version, enabled })
  if (!edited.ok) return refuseOnPage(c, wordsOf(edited.refusal))

  const notice = enabled ? 'webhook-activado' : 'webhook-pausado'
  return c.redirect(`/cuenta/webhooks/${c.req.param('id')}?aviso=${notice}`, 303)
}

async function edit(c: Here, deps: Deps, changes: WebhookEdit) {
  const management = webhookContextOf(c, deps)
  const edited = await editWebhook(management, accountOf(c), c.req.param('id'), changes)
  if (edited.ok) await enqueue({ queue: c.env.DELIVERIES }, edited.value.due)

  return edited
}

/** The webhook as it is now, with the reason why nothing was done. */
async function refuseOnPage(c: Here, { status, text, retryAfter }: RefusalWords) {
  if (retryAfter) c.header('Retry-After', String(retryAfter))
  return c.html(<WebhookPage {...await webhookPage(c)} problem={text} />, status)
}

/** The page that asked, again, with the webhook as it is now. */
async function refuseChange(c: Here, Page: typeof RotateWebhookPage, refusal: WebhookRefusal) {
  const { status, text } = wordsOf(refusal)
  const webhook = await ownWebhook(c, c.req.param('id'))
  return c.html(<Page {...await frame(c)} webhook={webhook} problem={text} />, status)
}

async function webhookPage(c: Here) {
  const { desde = '', prueba, aviso } = c.req.query()
  const webhook = await ownWebhook(c, c.req.param('id'))
  const after = /^\d{1,15}$/.test(desde) ? Number(desde) : undefined

  return {
    ...(await frame(c)),
    webhook,
    admitted: isAdmissionOpen(c.env),
    page: await recentDeliveries(c, webhook.id, after),
    test: prueba === undefined ? undefined : await deliveryOf(c, webhook.id, prueba),
    notice: aviso,
  }
}

/** The words of a refusal; a webhook that is not there is not found. */
function wordsOf(refusal: WebhookRefusal): RefusalWords {
  if (refusal === 'not_found') throw webhookNotFound()
  return refusalWords(refusal)
}

function accountOf(c: Here): string {
  return c.var.signedIn.accountId
}
