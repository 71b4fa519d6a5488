/** The pages of webhooks and of alerts: behind a session, by the operations that the API calls. */
import { type Context, Hono } from 'hono'
import { parseMailFrom } from '../../../../shared/config/config.ts'
import { openKeyring } from '../../../../shared/crypto/keyring.ts'
import { randomUuid } from '../../../../shared/crypto/random.ts'
import {
  isAdmissionOpen,
  openSubscriptionContext,
} from '../../../../shared/subscriptions/context.ts'
import { createSubscription } from '../../../../shared/subscriptions/create.ts'
import { type DeliveryQuery, listDeliveries } from '../../../../shared/subscriptions/deliveries.ts'
import { editSubscription } from '../../../../shared/subscriptions/edit.ts'
import { sendTest, type Switch } from '../../../../shared/subscriptions/kind.ts'
import { findSubscription, listSubscriptions } from '../../../../shared/subscriptions/read.ts'
import { isReceiverAuthorization } from '../../../../shared/subscriptions/receiver-authorization.ts'
import { redeliver, redeliverSince } from '../../../../shared/subscriptions/redeliver.ts'
import { refusalError, type SubscriptionRefusal } from '../../../../shared/subscriptions/refusal.ts'
import { removeSubscription } from '../../../../shared/subscriptions/remove.ts'
import { rotateSecret } from '../../../../shared/subscriptions/rotate.ts'
import type { StoredSubscription } from '../../../../shared/subscriptions/row.ts'
import { openField } from '../../../../shared/subscriptions/sealed-fields.ts'
import { isUuid } from '../../../../shared/uuid.ts'
import { enqueue } from '../../../../shared/webhooks/enqueue.ts'
import type { AccountContext, Deps } from '../../context.ts'
import { badRequest, HttpError } from '../../errors.ts'
import { type Fields, readOwnForm } from '../forms.ts'
import { frame } from '../frame.ts'
import { FIELDS_MISSING } from '../messages.ts'
import type { Area } from './area.ts'
import { DeletePage, EditPage, IssuedPage, RotatePage } from './change-pages.tsx'
import { redeliveredOf, redeliveredQuery, spanStart } from './deliveries.tsx'
import { ListPage } from './list-page.tsx'
import { OnePage } from './one-page.tsx'

type Here = Context<AccountContext>

const DELIVERIES_SHOWN = 10

const AUTHORIZATION_INVALID = badRequest(
  'La credencial tiene que ser texto ASCII de hasta 2048 caracteres, sin espacios en las puntas',
)

/** The list of a kind with its form, and the pages of each. They work without JavaScript. */
export function subscriptionPages(deps: Deps, area: Area) {
  const list = async (c: Here) => ({
    ...(await frame(c)),
    area,
    subscriptions: await listSubscriptions(
      c.env.DB,
      area.kind,
      c.var.signedIn.accountId,
      deps.now(),
    ),
    admitted: isAdmissionOpen(c.env),
    sendsMail: parseMailFrom(c.env.MAIL_FROM) !== undefined,
  })

  return new Hono<AccountContext>()
    .get('/', async (c) => {
      const page = { ...(await list(c)), operationId: randomUuid(deps.random) }
      return c.html(<ListPage {...page} notice={c.req.query('aviso')} />)
    })
    .post('/', async (c) => {
      const fields = await readOwnForm(c)
      const operationId = fields.operacion ?? ''
      if (!isUuid(operationId)) throw badRequest(FIELDS_MISSING)
      const typed = area.typed(fields)
      const refuse = async ({ message, status, retryAfter }: HttpError) => {
        if (retryAfter) c.header('Retry-After', String(retryAfter))
        const page = { ...(await list(c)), operationId, values: typed.values }
        return c.html(<ListPage {...page} problem={message} />, status)
      }

      const { autorizacion: authorization = '' } = typed.hasCredential ? fields : {}
      if (!mayAuthorize(authorization)) return refuse(AUTHORIZATION_INVALID)
      const wanted = {
        ...typed.wanted,
        operationId,
        enabled: fields.pausado === undefined,
        receiverAuthorization: authorization || undefined,
      }
      const { accountId } = c.var.signedIn
      const created = await createSubscription(contextOf(c, deps), area.kind, accountId, wanted)
      if (!created.ok) return refuse(errorOf(area, created.refusal))

      const { subscription, secret } = created.value
      if (secret !== null)
        return c.html(<IssuedPage {...await frame(c)} {...{ area, subscription, secret }} />)
      const notice = area.createdNotice(subscription)
      return c.redirect(`${area.path}/${subscription.id}?aviso=${notice}`, 303)
    })
    .use('/:id/*', async (c, next) => {
      if (!isUuid(c.req.param('id'))) throw area.notFound()
      await next()
    })
    .route('/:id', actionRoutes(deps, area))
    .route('/:id', changeRoutes(deps, area))
}

/** The page of a subscription, and its buttons. */
function actionRoutes(deps: Deps, area: Area) {
  const back = (c: Here, query: string) => c.redirect(`${area.path}/${ownOf(c).id}?${query}`, 303)
  const refuse = async (c: Here, refusal: SubscriptionRefusal) => {
    const { status, message, retryAfter } = errorOf(area, refusal)
    if (retryAfter) c.header('Retry-After', String(retryAfter))
    return c.html(<OnePage {...await onePage(c, deps, area)} problem={message} />, status)
  }
  const switchTo = (enabled: boolean) => async (c: Here) => {
    const version = seenVersion(await readOwnForm(c))
    const edited = await edit(c, deps, area, { version, enabled })
    if (!edited.ok) return refuse(c, edited.refusal)
    return back(c, `aviso=${area.words.slug}-${enabled ? 'activad' : 'pausad'}${area.words.end}`)
  }
  return new Hono<AccountContext>()
    .get('/', async (c) => c.html(<OnePage {...await onePage(c, deps, area)} />))
    .post('/pausar', switchTo(false))
    .post('/activar', switchTo(true))
    .post('/probar', async (c) => {
      await readOwnForm(c)
      const queued = await area.kind.test(contextOf(c, deps), ownOf(c))
      if (!queued.ok) return refuse(c, queued.refusal)

      const test = queued.value
      await sendTest(c.env.DELIVERIES, test)
      return back(c, test ? `prueba=${test.deliveryId}` : `aviso=${area.words.slug}-probada`)
    })
    .post('/reenviar', async (c) => {
      const { desde } = await readOwnForm(c)
      const own = { ...ownOf(c), since: spanStart(desde, deps.now()) }
      const opened = await redeliverSince(contextOf(c, deps), area.kind.name, own)
      if (!opened.ok) return refuse(c, opened.refusal)

      await enqueue({ queue: c.env.DELIVERIES }, opened.value.first)
      return back(c, redeliveredQuery(opened.value))
    })
    .post('/entregas/:entrega/reenviar', async (c) => {
      await readOwnForm(c)
      const own = { accountId: c.var.signedIn.accountId, deliveryId: c.req.param('entrega') }
      const queued = await redeliver(contextOf(c, deps), area.kind.name, own)
      if (!queued.ok) return refuse(c, queued.refusal)

      await enqueue({ queue: c.env.DELIVERIES }, [{ id: queued.value.id }])
      return back(c, redeliveredQuery({ redelivered: 1, remaining: 0 }))
    })
}

/** The pages that ask before they edit, rotate or delete. */
function changeRoutes(deps: Deps, area: Area) {
  const { slug, end } = area.words
  const page = async (c: Here) => ({
    ...(await frame(c)),
    area,
    subscription: await ownSubscription(c, deps, area),
    sendsMail: parseMailFrom(c.env.MAIL_FROM) !== undefined,
  })
  const stored = async (c: Here, subscription: StoredSubscription) =>
    area.valuesOf(subscription, await storedUrl(c, subscription))

  return new Hono<AccountContext>()
    .get('/editar', async (c) => {
      const shown = await page(c)
      return c.html(<EditPage {...shown} values={await stored(c, shown.subscription)} />)
    })
    .post('/editar', async (c) => {
      const fields = await readOwnForm(c)
      const typed = area.typed(fields)
      const refuse = async ({ status, message }: HttpError) => {
        const shown = await page(c)
        // A change made meanwhile is shown, not overwritten.
        const values = status === 409 ? await stored(c, shown.subscription) : typed.values
        return c.html(<EditPage {...shown} values={values} problem={message} />, status)
      }

      const { autorizacion: authorization = '' } = typed.hasCredential ? fields : {}
      if (!mayAuthorize(authorization)) return refuse(AUTHORIZATION_INVALID)
      const before = await ownSubscription(c, deps, area)
      const removed = fields.quitar === undefined ? undefined : null
      const edited = await edit(c, deps, area, {
        ...typed.wanted,
        version: seenVersion(fields),
        receiverAuthorization: authorization || removed,
      })
      if (!edited.ok) return refuse(errorOf(area, edited.refusal))
      const notice = area.savedNotice(before, edited.value.subscription)
      return c.redirect(`${area.path}/${before.id}?aviso=${notice}`, 303)
    })
    .get('/rotar', async (c) => c.html(<RotatePage {...await page(c)} />))
    .post('/rotar', async (c) => {
      const version = seenVersion(await readOwnForm(c))
      const own = { ...ownOf(c), version }
      const rotated = await rotateSecret(contextOf(c, deps), area.kind, own)
      if (rotated.ok)
        return c.html(<IssuedPage {...await frame(c)} area={area} {...rotated.value} isRotated />)

      const { status, message } = errorOf(area, rotated.refusal)
      return c.html(<RotatePage {...await page(c)} problem={message} />, status)
    })
    .get('/borrar', async (c) => c.html(<DeletePage {...await page(c)} />))
    .post('/borrar', async (c) => {
      const version = seenVersion(await readOwnForm(c))
      const removed = await removeSubscription(c.env.DB, { ...ownOf(c), version }, area.kind.name)
      if (removed.ok) return c.redirect(`${area.path}?aviso=${slug}-borrad${end}`, 303)

      const { status, message } = errorOf(area, removed.refusal)
      return c.html(<DeletePage {...await page(c)} problem={message} />, status)
    })
}

async function edit(
  c: Here,
  deps: Deps,
  { kind }: Area,
  changes: Switch & { receiverAuthorization?: string | null | undefined },
) {
  const edited = await editSubscription(contextOf(c, deps), kind, ownOf(c), changes)
  if (edited.ok) await enqueue({ queue: c.env.DELIVERIES }, edited.value.due)
  return edited
}

async function onePage(c: Here, deps: Deps, area: Area) {
  const { desde = '', prueba, aviso } = c.req.query()
  const subscription = await ownSubscription(c, deps, area)
  const deliveries = async (query: Partial<DeliveryQuery>) => {
    const asked = { subscriptionId: subscription.id, limit: DELIVERIES_SHOWN, ...query }
    const page = await listDeliveries(c.env.DB, c.var.signedIn.accountId, asked, area.kind.name)
    if (!page.ok) throw new HttpError(404, 'Esas entregas ya no están')
    return page.value
  }
  const tests = prueba ? await deliveries({ deliveryId: prueba }) : null

  return {
    ...(await frame(c)),
    area,
    subscription,
    admitted: isAdmissionOpen(c.env),
    page: await deliveries({ after: /^\d{1,15}$/.test(desde) ? Number(desde) : undefined }),
    test: tests?.deliveries[0],
    redelivered: redeliveredOf(c.req.query()),
    notice: aviso,
  }
}

/** A subscription of the signed-in account; any other counts as absent. */
async function ownSubscription(c: Here, { now }: Deps, area: Area): Promise<StoredSubscription> {
  const subscription = await findSubscription(c.env.DB, area.kind, ownOf(c), now())
  if (!subscription) throw area.notFound()
  return subscription
}

/** The URL, which only its owner sees; empty when there is none or it cannot be opened. */
async function storedUrl({ env }: Here, { id, sealed }: StoredSubscription): Promise<string> {
  return (await openField(openKeyring(env.KEY_ENCRYPTION_KEYS), id, 'url', sealed.url)) ?? ''
}

/** A refusal as the API has it, in the words of a page. What is absent has a page of its own. */
function errorOf({ kind, notFound, words }: Area, refusal: SubscriptionRefusal): HttpError {
  if (refusal === 'not_found') throw notFound()
  if (refusal === 'version_changed')
    return new HttpError(409, `${words.changed}; mirá cómo está ahora y volvé a intentar`)
  if (refusal === 'quote_unavailable')
    return new HttpError(409, 'Todavía no tenemos esa cotización: no hay qué mandar en la prueba')
  return refusalError(kind.name, refusal)
}

/** The subscription of the address: `id` is a parameter of the routes above. */
function ownOf(c: Here): { accountId: string; id: string } {
  return { accountId: c.var.signedIn.accountId, id: c.req.param('id')! }
}

function contextOf({ env, req }: Here, { now, random }: Deps) {
  return openSubscriptionContext(env, { now: now(), random, requestUrl: req.url })
}

/** The version of the subscription that the form was made from. */
function seenVersion({ version = '' }: Fields): number {
  const seen = Number(version)
  if (/^\d{1,16}$/.test(version) && Number.isSafeInteger(seen)) return seen
  throw badRequest(FIELDS_MISSING)
}

/** Whether a header can carry the receiver's credential as typed; empty is none. */
function mayAuthorize(authorization: string): boolean {
  return authorization === '' || isReceiverAuthorization(authorization)
}
