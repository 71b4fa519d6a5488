import { type Context, Hono } from 'hono'
import { isUuid } from '../../../../shared/crypto/uuid.ts'
import { type AlertEdit, editAlert } from '../../../../shared/db/alerts/edit.ts'
import { testAlert } from '../../../../shared/db/alerts/test-alert.ts'
import { isAdmissionOpen } from '../../../../shared/db/webhooks/context.ts'
import { removeWebhook } from '../../../../shared/db/webhooks/remove.ts'
import { rotateSecret } from '../../../../shared/db/webhooks/rotate.ts'
import { enqueue } from '../../../../shared/webhooks/enqueue.ts'
import type { AccountContext, Deps } from '../../context.ts'
import { alertNotFound } from '../../errors.ts'
import { readCharts } from '../../pair/read-charts.ts'
import { readOwnForm } from '../forms.ts'
import { frame } from '../frame.ts'
import { webhookContextOf } from '../webhooks/own-webhooks.ts'
import type { RefusalWords } from '../webhooks/refusal-words.ts'
import { AUTHORIZATION_INVALID, seenVersion, typedAuthorization } from '../webhooks/webhook-form.ts'
import { typedAlert, wantedReceiver, wantedWatch } from './alert-form.ts'
import { AlertPage } from './alert-page.tsx'
import { AlertSecretPage } from './alert-secret-page.tsx'
import { DeleteAlertPage, EditAlertPage, RotateAlertPage } from './change-pages.tsx'
import { alertDeliveries, ownAlert, storedValues } from './own-alerts.ts'
import { type AlertRefusal, wordsOf } from './refusal-words.ts'

type Here = Context<AccountContext, '/:id'>

/** What can be done with one alert of the account. Another's is as absent as none. */
export function oneAlertPages(deps: Deps) {
  return new Hono<AccountContext>()
    .use('/:id/*', async (c, next) => {
      if (!isUuid(c.req.param('id'))) throw alertNotFound()
      await next()
    })
    .get('/:id', async (c) => c.html(<AlertPage {...await alertPage(c, deps)} />))
    .post('/:id/pausar', (c) => switchTo(c, deps, false))
    .post('/:id/activar', (c) => switchTo(c, deps, true))
    .post('/:id/probar', async (c) => {
      await readOwnForm(c)
      const id = c.req.param('id')
      const queued = await testAlert(webhookContextOf(c, deps), accountOf(c), id)
      if (!queued.ok) return refuseOnPage(c, deps, wordsOf(queued.refusal))
      const test = queued.value
      if (!test) return c.redirect(`/cuenta/alertas/${id}?aviso=alerta-probada`, 303)

      await enqueue({ queue: c.env.DELIVERIES }, [{ id: test.id }])
      return c.redirect(`/cuenta/alertas/${id}?prueba=${test.deliveryId}`, 303)
    })
    .route('/', editPages(deps))
    .route('/', rotatePages(deps))
    .route('/', deletePages(deps))
}

function editPages(deps: Deps) {
  return new Hono<AccountContext>()
    .get('/:id/editar', async (c) => {
      const alert = await ownAlert(c, deps, c.req.param('id'))
      const values = await storedValues(c, alert)
      return c.html(<EditAlertPage {...await frame(c)} alert={alert} values={values} />)
    })
    .post('/:id/editar', async (c) => {
      const fields = await readOwnForm(c)
      const typed = typedAlert(fields)
      const refuse = async ({ status, text }: RefusalWords) => {
        const alert = await ownAlert(c, deps, c.req.param('id'))
        // What changed meanwhile is shown, not overwritten unseen.
        const values = status === 409 ? await storedValues(c, alert) : typed
        const page = { ...(await frame(c)), alert, values, problem: text }
        return c.html(<EditAlertPage {...page} />, status)
      }

      const receiver = wantedReceiver(typed)
      const authorization = receiver.channel === 'email' ? undefined : typedAuthorization(fields)
      if (typeof authorization === 'object')
        return refuse({ status: 400, text: AUTHORIZATION_INVALID })

      const before = await ownAlert(c, deps, c.req.param('id'))
      const edited = await edit(c, deps, {
        ...wantedWatch(typed),
        ...receiver,
        version: seenVersion(fields),
        receiverAuthorization: authorization ?? (fields['quitar'] === undefined ? undefined : null),
      })
      if (!edited.ok) return refuse(wordsOf(edited.refusal))
      // The secret of one that went by e-mail was never shown.
      const isNewReceiver = before.channel === 'email' && edited.value.channel === 'webhook'
      const notice = isNewReceiver ? 'alerta-por-webhook' : 'alerta-guardada'
      return c.redirect(`/cuenta/alertas/${before.id}?aviso=${notice}`, 303)
    })
}

function rotatePages(deps: Deps) {
  return new Hono<AccountContext>()
    .get('/:id/rotar', async (c) => {
      const alert = await ownAlert(c, deps, c.req.param('id'))
      return c.html(<RotateAlertPage {...await frame(c)} alert={alert} />)
    })
    .post('/:id/rotar', async (c) => {
      const version = seenVersion(await readOwnForm(c))
      const id = c.req.param('id')
      const context = webhookContextOf(c, deps)
      const rotated = await rotateSecret(context, accountOf(c), { id, version }, 'alert')
      if (!rotated.ok) return refuseChange(c, deps, RotateAlertPage, rotated.refusal)

      const page = { ...(await frame(c)), alert: await ownAlert(c, deps, id) }
      return c.html(<AlertSecretPage {...page} secret={rotated.value.secret} rotated />)
    })
}

function deletePages(deps: Deps) {
  return new Hono<AccountContext>()
    .get('/:id/borrar', async (c) => {
      const alert = await ownAlert(c, deps, c.req.param('id'))
      return c.html(<DeleteAlertPage {...await frame(c)} alert={alert} />)
    })
    .post('/:id/borrar', async (c) => {
      const version = seenVersion(await readOwnForm(c))
      const own = { id: c.req.param('id'), accountId: accountOf(c), version }
      const removed = await removeWebhook(c.env.DB, own, 'alert')
      if (removed.ok) return c.redirect('/cuenta/alertas?aviso=alerta-borrada', 303)

      return refuseChange(c, deps, DeleteAlertPage, removed.refusal)
    })
}

async function switchTo(c: Here, deps: Deps, enabled: boolean) {
  const version = seenVersion(await readOwnForm(c))
  const edited = await edit(c, deps, { version, enabled })
  if (!edited.ok) return refuseOnPage(c, deps, wordsOf(edited.refusal))

  const notice = enabled ? 'alerta-activada' : 'alerta-pausada'
  return c.redirect(`/cuenta/alertas/${c.req.param('id')}?aviso=${notice}`, 303)
}

function edit(c: Here, deps: Deps, changes: AlertEdit) {
  return editAlert(webhookContextOf(c, deps), accountOf(c), c.req.param('id'), changes)
}

/** The alert as it is now, with the reason why nothing was done. */
async function refuseOnPage(c: Here, deps: Deps, { status, text, retryAfter }: RefusalWords) {
  if (retryAfter) c.header('Retry-After', String(retryAfter))
  return c.html(<AlertPage {...await alertPage(c, deps)} problem={text} />, status)
}

/** The page that asked, again, with the alert as it is now. */
async function refuseChange(
  c: Here,
  deps: Deps,
  Page: typeof RotateAlertPage,
  refusal: AlertRefusal,
) {
  const { status, text } = wordsOf(refusal)
  const alert = await ownAlert(c, deps, c.req.param('id'))
  return c.html(<Page {...await frame(c)} alert={alert} problem={text} />, status)
}

async function alertPage(c: Here, deps: Deps) {
  const { desde = '', prueba, aviso } = c.req.query()
  const alert = await ownAlert(c, deps, c.req.param('id'))
  const after = /^\d{1,15}$/.test(desde) ? Number(desde) : undefined
  const tests = prueba ? await alertDeliveries(c, alert.id, { deliveryId: prueba }) : null

  return {
    ...(await frame(c)),
    alert,
    admitted: isAdmissionOpen(c.env),
    charts: await readCharts(c.env.BOARD, alert.pair),
    now: deps.now(),
    page: await alertDeliveries(c, alert.id, { after }),
    test: tests?.deliveries[0],
    notice: aviso,
  }
}

function accountOf({ var: { signedIn } }: Here): string {
  return signedIn.accountId
}
