import { type Context, Hono } from 'hono'
import { isAdmissionOpen } from '../../../../shared/subscriptions/context.ts'
import { findSubscription } from '../../../../shared/subscriptions/read.ts'
import type { SubscriptionRefusal } from '../../../../shared/subscriptions/refusal.ts'
import { removeSubscription } from '../../../../shared/subscriptions/remove.ts'
import { redeliver, redeliverSince } from '../../../../shared/subscriptions/redeliver.ts'
import { rotateSecret } from '../../../../shared/subscriptions/rotate.ts'
import type { StoredSubscription } from '../../../../shared/subscriptions/row.ts'
import { enqueue } from '../../../../shared/webhooks/enqueue.ts'
import type { AccountContext, Deps } from '../../context.ts'
import { sendTest } from '../../../../shared/subscriptions/kinds.ts'
import { readOwnForm } from '../forms.ts'
import { frame } from '../frame.ts'
import type { Area } from './area.ts'
import { DeletePage, EditPage, RotatePage } from './change-pages.tsx'
import { AUTHORIZATION_INVALID, seenVersion, typedAuthorization } from './form.ts'
import { OnePage } from './one-page.tsx'
import { contextOf, deliveriesOf, storedUrl } from './own.ts'
import { type RedeliveredProps, redeliveredOf, spanStart } from './redelivery.tsx'
import { type RefusalWords, refusalWords } from './refusal-words.ts'
import { SecretPage } from './secret-page.tsx'

type Here = Context<AccountContext>

/** The actions of one subscription of the account. The subscription of another account counts as absent. */
export function oneRoutes(deps: Deps, area: Area) {
  return new Hono<AccountContext>()
    .get('/', async (c) => c.html(<OnePage {...await onePage(c, deps, area)} />))
    .post('/pausar', (c) => switchTo(c, deps, area, false))
    .post('/activar', (c) => switchTo(c, deps, area, true))
    .post('/probar', async (c) => {
      await readOwnForm(c)
      const { accountId, id } = ownOf(c)
      const queued = await area.test(contextOf(c, deps), accountId, id)
      if (!queued.ok) return refuseOnPage(c, deps, area, queued.refusal)

      const test = queued.value
      await sendTest(c.env.DELIVERIES, test)
      const shown = test ? `prueba=${test.deliveryId}` : `aviso=${area.words.slug}-probada`
      return c.redirect(`${area.path}/${id}?${shown}`, 303)
    })
    .route('/', redeliveryRoutes(deps, area))
    .route('/editar', editRoutes(deps, area))
    .route('/rotar', rotateRoutes(deps, area))
    .route('/borrar', deleteRoutes(deps, area))
}

function redeliveryRoutes(deps: Deps, area: Area) {
  const { kind } = area.rows
  const done = (c: Here, { redelivered, remaining }: RedeliveredProps) =>
    c.redirect(
      `${area.path}/${ownOf(c).id}?reenviadas=${redelivered}&quedan=${remaining}#entregas`,
      303,
    )

  return new Hono<AccountContext>()
    .post('/reenviar', async (c) => {
      const { desde } = await readOwnForm(c)
      const own = { ...ownOf(c), since: spanStart(desde, deps.now()) }
      const opened = await redeliverSince(contextOf(c, deps), kind, own)
      if (!opened.ok) return refuseOnPage(c, deps, area, opened.refusal)

      await enqueue({ queue: c.env.DELIVERIES }, opened.value.first)
      return done(c, opened.value)
    })
    .post('/entregas/:entrega/reenviar', async (c) => {
      await readOwnForm(c)
      const { accountId } = ownOf(c)
      const own = { accountId, deliveryId: c.req.param('entrega') }
      const queued = await redeliver(contextOf(c, deps), kind, own)
      if (!queued.ok) return refuseOnPage(c, deps, area, queued.refusal)

      await enqueue({ queue: c.env.DELIVERIES }, [{ id: queued.value.id }])
      return done(c, { redelivered: 1, remaining: 0 })
    })
}

function editRoutes(deps: Deps, area: Area) {
  return new Hono<AccountContext>()
    .get('/', async (c) => {
      const page = await changePage(c, deps, area)
      const values = area.valuesOf(page.subscription, await storedUrl(c, page.subscription))
      return c.html(<EditPage {...page} values={values} />)
    })
    .post('/', async (c) => {
      const fields = await readOwnForm(c)
      const typed = area.typed(fields)
      const refuse = async ({ status, text }: RefusalWords) => {
        const page = await changePage(c, deps, area)
        // A change made meanwhile is shown, not overwritten.
        const values =
          status === 409
            ? area.valuesOf(page.subscription, await storedUrl(c, page.subscription))
            : typed.values
        return c.html(<EditPage {...page} values={values} problem={text} />, status)
      }

      const authorization = typed.hasCredential ? typedAuthorization(fields) : undefined
      if (typeof authorization === 'object')
        return refuse({ status: 400, text: AUTHORIZATION_INVALID })

      const before = await ownSubscription(c, deps, area)
      const receiverAuthorization =
        authorization ?? (fields.quitar === undefined ? undefined : null)
      const edited = await edit(
        c,
        deps,
        area,
        typed.toEdit({ version: seenVersion(fields), receiverAuthorization }),
      )
      if (!edited.ok) return refuse(wordsOf(area, edited.refusal))
      const notice = area.savedNotice(before, edited.value.subscription)
      return c.redirect(`${area.path}/${before.id}?aviso=${notice}`, 303)
    })
}

function rotateRoutes(deps: Deps, area: Area) {
  return new Hono<AccountContext>()
    .get('/', async (c) => c.html(<RotatePage {...await changePage(c, deps, area)} />))
    .post('/', async (c) => {
      const version = seenVersion(await readOwnForm(c))
      const rotated = await rotateSecret(contextOf(c, deps), area.rows, { ...ownOf(c), version })
      if (rotated.ok) {
        const page = { ...(await frame(c)), view: area, ...rotated.value }
        return c.html(<SecretPage {...page} isRotated />)
      }

      const { status, text } = wordsOf(area, rotated.refusal)
      return c.html(<RotatePage {...await changePage(c, deps, area)} problem={text} />, status)
    })
}

function deleteRoutes(deps: Deps, area: Area) {
  const { slug, end } = area.words
  return new Hono<AccountContext>()
    .get('/', async (c) => c.html(<DeletePage {...await changePage(c, deps, area)} />))
    .post('/', async (c) => {
      const version = seenVersion(await readOwnForm(c))
      const removed = await removeSubscription(c.env.DB, { ...ownOf(c), version }, area.rows.kind)
      if (removed.ok) return c.redirect(`${area.path}?aviso=${slug}-borrad${end}`, 303)

      const { status, text } = wordsOf(area, removed.refusal)
      return c.html(<DeletePage {...await changePage(c, deps, area)} problem={text} />, status)
    })
}

async function switchTo(c: Here, deps: Deps, area: Area, enabled: boolean) {
  const version = seenVersion(await readOwnForm(c))
  const edited = await edit(c, deps, area, { version, enabled })
  if (!edited.ok) return refuseOnPage(c, deps, area, edited.refusal)

  const { slug, end } = area.words
  const notice = `${slug}-${enabled ? 'activad' : 'pausad'}${end}`
  return c.redirect(`${area.path}/${edited.value.subscription.id}?aviso=${notice}`, 303)
}

async function edit(c: Here, deps: Deps, area: Area, changes: unknown) {
  const { accountId, id } = ownOf(c)
  const edited = await area.edit(contextOf(c, deps), accountId, id, changes)
  if (edited.ok) await enqueue({ queue: c.env.DELIVERIES }, edited.value.due)

  return edited
}

/** The current subscription, with the reason why nothing was done. */
async function refuseOnPage(c: Here, deps: Deps, area: Area, refusal: SubscriptionRefusal) {
  const { status, text, retryAfter } = wordsOf(area, refusal)
  if (retryAfter) c.header('Retry-After', String(retryAfter))
  return c.html(<OnePage {...await onePage(c, deps, area)} problem={text} />, status)
}

async function onePage(c: Here, deps: Deps, area: Area) {
  const { desde = '', prueba, aviso } = c.req.query()
  const page = await changePage(c, deps, area)
  const own = { kind: area.rows.kind, subscriptionId: page.subscription.id }
  const after = /^\d{1,15}$/.test(desde) ? Number(desde) : undefined
  const tests = prueba ? await deliveriesOf(c, own, { deliveryId: prueba }) : null

  return {
    ...page,
    admitted: isAdmissionOpen(c.env),
    page: await deliveriesOf(c, own, { after }),
    more: await area.more(c, page.subscription, deps.now()),
    test: tests?.deliveries[0],
    redelivered: redeliveredOf(c.req.query()),
    notice: aviso,
  }
}

/** What every page of one subscription shows. */
async function changePage(c: Here, deps: Deps, area: Area) {
  return { ...(await frame(c)), view: area, subscription: await ownSubscription(c, deps, area) }
}

/** A subscription of the signed-in account; any other counts as absent. */
async function ownSubscription(c: Here, { now }: Deps, area: Area): Promise<StoredSubscription> {
  const subscription = await findSubscription(c.env.DB, area.rows, ownOf(c), now())
  if (!subscription) throw area.notFound()

  return subscription
}

/** The text of a refusal. What is absent has a page of its own. */
function wordsOf({ rows, notFound }: Area, refusal: SubscriptionRefusal): RefusalWords {
  if (refusal === 'not_found') throw notFound()
  return refusalWords(rows.kind, refusal)
}

/** The subscription of the address: `id` is a parameter of the route above these. */
function ownOf(c: Here): { accountId: string; id: string } {
  return { accountId: c.var.signedIn.accountId, id: c.req.param('id')! }
}
