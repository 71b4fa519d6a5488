/** Routes of the pages of webhooks and alerts. They call the functions that the API calls. */
import { Hono } from 'hono'
import { given } from '../../../../shared/api/subscription-fields.ts'
import { openSubscriptionContext } from '../../../../shared/subscriptions/context.ts'
import { sendTest } from '../../../../shared/subscriptions/kind.ts'
import { redeliver, redeliverSince } from '../../../../shared/db/deliveries/redeliver.ts'
import { removeSubscription } from '../../../../shared/db/change-subscription.ts'
import { isUuid } from '../../../../shared/crypto/random.ts'
import { askForSweep, enqueue } from '../../../../shared/webhooks/enqueue.ts'
import type { Deps, Fields } from '../../context.ts'
import { badRequest, HttpError } from '../../../../shared/http-error.ts'
import { addForms, FIELDS_MISSING } from '../session.tsx'
import type { Area, Here, PageContext } from './area.tsx'
import { spanStart } from './deliveries.tsx'
import { editPage, issuedPage, listPage, onePage } from './pages.tsx'

/** Routes of one kind: the list with its form, and a page for each subscription. */
export function subscriptionPages(deps: Deps, area: Area) {
  const { slug, end } = area
  const app = new Hono<PageContext>()
  app.get('/', async (c) => c.render(await listPage(c, deps, area)))
  addForms(app, (c, refusal) => listPage(c, deps, area, refusal), {
    '/': (c) => create(c, deps, area),
  })
  app.use('/:id/*', async (c, next) => {
    const own = { accountId: accountOf(c), id: c.req.param('id') }
    const found = isUuid(own.id) ? await area.find(c.env.DB, own, deps.now()) : null
    if (!found) throw new HttpError(404, `Es${end === 'a' ? 'a' : 'e'} ${slug} ya no existe`)
    c.set('subscription', found)
    return next()
  })
  app.get('/:id', async (c) => c.render(await onePage(c, area)))
  addForms(app, (c, refusal) => onePage(c, area, refusal), actionsOf(deps, area))
  app.get('/:id/editar', async (c) => c.render(await editPage(c, area)))
  addForms(app, (c, refusal) => editPage(c, area, refusal), {
    '/:id/editar': async (c) => {
      const { isDelivered } = await edit(c, deps, area, {}, c.var.fields)
      // If the alert had no webhook before, its secret was never shown.
      const isFirst = isDelivered && !c.var.subscription.isDelivered
      return toPage(c, area, `aviso=${slug}-${isFirst ? 'por-webhook' : `guardad${end}`}`)
    },
  })
  return app
}

async function create(c: Here, deps: Deps, area: Area) {
  const { fields } = c.var
  if (!isUuid(fields['operacion'] ?? '')) throw badRequest(FIELDS_MISSING)
  const { subscription, secret } = await area.create(contextOf(c, deps), accountOf(c), fields)
  c.set('subscription', subscription)
  if (secret !== null) return c.render(issuedPage(c, area, secret))

  const notice = subscription.isDelivered ? 'ya-cread' : 'cread'
  return toPage(c, area, `aviso=${area.slug}-${notice}${area.end}`)
}

/** The actions of the buttons on a subscription's page. */
function actionsOf(deps: Deps, area: Area): Record<string, (c: Here) => Promise<Response>> {
  const { name, valueOf, path, slug, end } = area
  const turn = (enabled: boolean, done: string) => async (c: Here) => {
    await edit(c, deps, area, { enabled })
    return toPage(c, area, `aviso=${slug}-${done}${end}`)
  }
  return {
    '/:id/pausar': turn(false, 'pausad'),
    '/:id/activar': turn(true, 'activad'),
    '/:id/probar': async (c) => {
      const test = valueOf(await area.test(contextOf(c, deps), ownOf(c)))
      await sendTest(c.env.DELIVERIES, test)
      return toPage(c, area, test ? `prueba=${test.deliveryId}` : `aviso=${slug}-probad${end}`)
    },
    '/:id/reenviar': async (c) => {
      const own = { ...ownOf(c), since: spanStart(c.var.fields['desde'], deps.now()) }
      const opened = await redeliverSince(contextOf(c, deps), name, own)
      const { first, redelivered, remaining } = valueOf(opened)
      await enqueue({ queue: c.env.DELIVERIES }, first)
      const notice = redelivered === 0 ? 'nada-que-reenviar' : 'reenviadas'
      return toPage(c, area, `aviso=${remaining > 0 ? 'quedan-por-reenviar' : notice}`)
    },
    '/:id/entregas/:entrega/reenviar': async (c) => {
      const own = { accountId: accountOf(c), deliveryId: c.req.param('entrega')! }
      const queued = valueOf(await redeliver(contextOf(c, deps), name, own))
      await enqueue({ queue: c.env.DELIVERIES }, [{ id: queued.id }])
      return toPage(c, area, 'aviso=reenviada')
    },
    '/:id/rotar': async (c) => {
      const secret = await area.rotate(contextOf(c, deps), seenOf(c))
      return c.render(issuedPage(c, area, secret, true))
    },
    '/:id/borrar': async (c) => {
      valueOf(await removeSubscription(c.env.DB, seenOf(c), name))
      return c.redirect(`${path}?aviso=${slug}-borrad${end}`, 303)
    },
  }
}

/** Redirects to the page of the subscription; `query` names the notice that it shows. */
function toPage(c: Here, area: Area, query: string): Response {
  return c.redirect(`${area.path}/${c.var.subscription.stored.id}?${query}`, 303)
}

async function edit(c: Here, deps: Deps, area: Area, turn: { enabled?: boolean }, fields?: Fields) {
  const change = { ...turn, version: seenVersion(c) }
  const edited = await area.edit(contextOf(c, deps), ownOf(c), change, fields)
  if (edited.owesSync) await askForSweep(c.env.DELIVERIES)
  return edited.subscription
}

const accountOf = ({ var: { signedIn } }: Here) => signedIn.accountId

const ownOf = (c: Here) => ({ accountId: accountOf(c), id: c.var.subscription.stored.id })
const seenOf = (c: Here) => ({ ...ownOf(c), version: seenVersion(c) })

function contextOf({ env, req }: Pick<Here, 'env' | 'req'>, { now, random }: Deps) {
  return openSubscriptionContext(env, { now: now(), random, requestUrl: req.url })
}

/** The version that the form was made from. */
function seenVersion(c: Here): number {
  const seen = given.version().safeParse(Number(c.var.fields['version']))
  if (!seen.success) throw badRequest(FIELDS_MISSING)
  return seen.data
}
