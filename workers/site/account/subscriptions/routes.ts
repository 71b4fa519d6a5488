/** Routes of the pages of webhooks and alerts. They call the same operations as the API. */
import { Hono } from 'hono'
import { given } from '../../../../shared/api/subscription-fields.ts'
import type { Result } from '../../../../shared/result.ts'
import { openSubscriptionContext } from '../../../../shared/subscriptions/context.ts'
import { createSubscription } from '../../../../shared/subscriptions/create.ts'
import { editSubscription } from '../../../../shared/subscriptions/edit.ts'
import {
  type EditOf,
  findSubscription,
  type NewSubscription,
  sendTest,
  type Switch,
} from '../../../../shared/subscriptions/kind.ts'
import { redeliver, redeliverSince } from '../../../../shared/subscriptions/redeliver.ts'
import { refusalError, type SubscriptionRefusal } from '../../../../shared/subscriptions/refusal.ts'
import { removeSubscription } from '../../../../shared/db/change-subscription.ts'
import { rotateSecret } from '../../../../shared/subscriptions/rotate.ts'
import type { StoredSubscription } from '../../../../shared/db/subscriptions.ts'
import { isUuid } from '../../../../shared/crypto/random.ts'
import { askForSweep, enqueue } from '../../../../shared/webhooks/enqueue.ts'
import type { Deps } from '../../context.ts'
import { badRequest, HttpError } from '../../errors.ts'
import { addForms, FIELDS_MISSING } from '../session.tsx'
import type { SubscriptionKind } from '../../../../shared/webhooks/webhook.ts'
import type { Area, AreaNames, Here, PageContext } from './area.tsx'
import { spanStart } from './deliveries.tsx'
import { editPage, issuedPage, listPage, onePage } from './pages.tsx'

/** The list of a kind with its form, and the pages of each. They work without JavaScript. */
export function subscriptionPages<Stored extends StoredSubscription, New extends NewSubscription>(
  deps: Deps,
  area: Area<Stored, New>,
) {
  const { kind, slug, end } = area
  const app = new Hono<PageContext<Stored>>()
  app.get('/', async (c) => c.render(await listPage(c, deps, area)))
  addForms(app, (c, refusal) => listPage(c, deps, area, refusal), {
    '/': (c) => create(c, deps, area),
  })
  app.use('/:id/*', async (c, next) => {
    const own = { accountId: accountOf(c), id: c.req.param('id') }
    const found = isUuid(own.id) ? await findSubscription(c.env.DB, kind, own, deps.now()) : null
    if (!found) throw new HttpError(404, `Es${end === 'a' ? 'a' : 'e'} ${slug} ya no existe`)
    c.set('subscription', found)
    return next()
  })
  app.get('/:id', async (c) => c.render(await onePage(c, area)))
  addForms(app, (c, refusal) => onePage(c, area, refusal), actionsOf(deps, area))
  app.get('/:id/editar', async (c) => c.render(await editPage(c, area)))
  addForms(app, (c, refusal) => editPage(c, area, refusal), {
    '/:id/editar': async (c) => {
      const changes = { ...readWanted(c, area), version: seenVersion(c) }
      const edited = await edit(c, deps, area, changes)
      return toPage(c, area, `aviso=${area.savedNotice(c.var.subscription, edited)}`)
    },
  })
  return app
}

async function create<Stored extends StoredSubscription, New extends NewSubscription>(
  c: Here<Stored>,
  deps: Deps,
  area: Area<Stored, New>,
) {
  const { operacion: operationId = '', pausado } = c.var.fields
  if (!isUuid(operationId)) throw badRequest(FIELDS_MISSING)
  const typed = readWanted(c, area)
  const wanted = area.creation(typed, {
    operationId,
    enabled: pausado === undefined,
    receiverAuthorization: typed.receiverAuthorization ?? undefined,
  })
  const created = await createSubscription(contextOf(c, deps), area.kind, accountOf(c), wanted)
  const { subscription, secret } = valueOf(area, created)
  c.set('subscription', subscription)
  if (secret !== null) return c.render(issuedPage(c, area, secret))

  const notice = area.show(subscription).isDelivered ? 'ya-cread' : 'cread'
  return toPage(c, area, `aviso=${area.slug}-${notice}${area.end}`)
}

/** What the buttons on the page of a subscription do. */
function actionsOf<Stored extends StoredSubscription, New extends NewSubscription>(
  deps: Deps,
  area: Area<Stored, New>,
): Record<string, (c: Here<Stored>) => Promise<Response>> {
  const { kind, path, slug, end } = area
  const turn = (enabled: boolean, done: string) => async (c: Here<Stored>) => {
    await edit(c, deps, area, { version: seenVersion(c), enabled })
    return toPage(c, area, `aviso=${slug}-${done}${end}`)
  }
  return {
    '/:id/pausar': turn(false, 'pausad'),
    '/:id/activar': turn(true, 'activad'),
    '/:id/probar': async (c) => {
      const test = valueOf(area, await kind.test(contextOf(c, deps), ownOf(c)))
      await sendTest(c.env.DELIVERIES, test)
      return toPage(c, area, test ? `prueba=${test.deliveryId}` : `aviso=${slug}-probad${end}`)
    },
    '/:id/reenviar': async (c) => {
      const own = { ...ownOf(c), since: spanStart(c.var.fields['desde'], deps.now()) }
      const opened = await redeliverSince(contextOf(c, deps), kind.name, own)
      const { first, redelivered, remaining } = valueOf(area, opened)
      await enqueue({ queue: c.env.DELIVERIES }, first)
      const notice = redelivered === 0 ? 'nada-que-reenviar' : 'reenviadas'
      return toPage(c, area, `aviso=${remaining > 0 ? 'quedan-por-reenviar' : notice}`)
    },
    '/:id/entregas/:entrega/reenviar': async (c) => {
      const own = { accountId: accountOf(c), deliveryId: c.req.param('entrega')! }
      const queued = valueOf(area, await redeliver(contextOf(c, deps), kind.name, own))
      await enqueue({ queue: c.env.DELIVERIES }, [{ id: queued.id }])
      return toPage(c, area, 'aviso=reenviada')
    },
    '/:id/rotar': async (c) => {
      const rotated = await rotateSecret(contextOf(c, deps), kind, seenOf(c))
      return c.render(issuedPage(c, area, valueOf(area, rotated).secret, true))
    },
    '/:id/borrar': async (c) => {
      valueOf(area, await removeSubscription(c.env.DB, seenOf(c), kind.name))
      return c.redirect(`${path}?aviso=${slug}-borrad${end}`, 303)
    },
  }
}

/** Redirects to the page of the subscription; `query` names the notice that it shows. */
function toPage<Stored extends StoredSubscription, New extends NewSubscription>(
  c: Here<Stored>,
  area: Area<Stored, New>,
  query: string,
): Response {
  return c.redirect(`${area.path}/${c.var.subscription.id}?${query}`, 303)
}

async function edit<Stored extends StoredSubscription, New extends NewSubscription>(
  c: Here<Stored>,
  deps: Deps,
  area: Area<Stored, New>,
  changes: EditOf<New> | Switch,
): Promise<Stored> {
  const edited = await editSubscription(contextOf(c, deps), area.kind, ownOf(c), changes)
  const { subscription, owesSync } = valueOf(area, edited)
  if (owesSync) await askForSweep(c.env.DELIVERIES)
  return subscription
}

/** The part of a request that names the account, the subscription and the form's fields. */
type Asked = { var: Pick<Here['var'], 'signedIn' | 'fields' | 'subscription'> }

const accountOf = ({ var: { signedIn } }: Pick<Asked, 'var'>) => signedIn.accountId

const ownOf = (c: Asked) => ({ accountId: accountOf(c), id: c.var.subscription.id })
const seenOf = (c: Asked) => ({ ...ownOf(c), version: seenVersion(c) })

function contextOf({ env, req }: Pick<Here, 'env' | 'req'>, { now, random }: Deps) {
  return openSubscriptionContext(env, { now: now(), random, requestUrl: req.url })
}

/** What a form asks for. Refuses only a credential that no header can carry. */
function readWanted<Stored extends StoredSubscription, New extends NewSubscription>(
  c: Here<Stored>,
  { form }: Area<Stored, New>,
) {
  const read = form.safeParse(c.var.fields)
  if (!read.success) throw badRequest(read.error.issues[0]!.message)
  return read.data
}

/** The version of the subscription that the form was made from. */
function seenVersion(c: Asked): number {
  const seen = given.version().safeParse(Number(c.var.fields['version']))
  if (!seen.success) throw badRequest(FIELDS_MISSING)
  return seen.data
}

/** The value of a result. Throws the API's refusal, some in words of the page. */
function valueOf<Value>(
  area: AreaNames & { kind: { name: SubscriptionKind } },
  result: Result<Value, SubscriptionRefusal>,
): Value {
  if (result.ok) return result.value
  if (result.refusal === 'version_changed') {
    const what = `${area.end === 'a' ? 'La' : 'El'} ${area.slug} cambió mientras tanto`
    throw new HttpError(409, `${what} y no hicimos nada; mirá cómo está ahora y volvé a intentar`)
  }
  if (result.refusal === 'quote_unavailable')
    throw new HttpError(409, 'Todavía no tenemos esa cotización: no hay qué mandar en la prueba')
  throw refusalError(area.kind.name, result.refusal)
}
