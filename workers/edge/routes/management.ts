import type { Context } from 'hono'
import { alertOperations } from '../../../shared/api/alerts.ts'
import type { managementOf, redeliveriesOf } from '../../../shared/api/subscriptions.ts'
import { webhookOperations } from '../../../shared/api/webhooks.ts'
import {
  type Delivery,
  type DeliveryPage,
  listDeliveries,
} from '../../../shared/db/deliveries/list.ts'
import type { StoredSubscription } from '../../../shared/db/subscriptions.ts'
import { formatUtc } from '../../../shared/argentine-time.ts'
import { openKeyring } from '../../../shared/crypto/sealed-box.ts'
import { HttpError } from '../../../shared/http-error.ts'
import type { Result } from '../../../shared/result.ts'
import { PAGE_NOT_FOUND } from '../../../shared/sentences.ts'
import { alerts } from '../../../shared/subscriptions/alerts.ts'
import {
  openSubscriptionContext,
  type SubscriptionContext,
} from '../../../shared/subscriptions/context.ts'
import { createSubscription } from '../../../shared/subscriptions/create.ts'
import { editSubscription, rotateSecret } from '../../../shared/subscriptions/edit.ts'
import {
  findSubscription,
  type Kind,
  listSubscriptions,
  type NewSubscription,
  sendTest,
  type Switch,
} from '../../../shared/subscriptions/kind.ts'
import { redeliver, redeliverSince } from '../../../shared/db/deliveries/redeliver.ts'
import {
  refusalError,
  type SubscriptionRefusal,
  urlLost,
  WORDS,
} from '../../../shared/subscriptions/refusal.ts'
import { removeSubscription } from '../../../shared/db/change-subscription.ts'
import { openField } from '../../../shared/subscriptions/sealed-fields.ts'
import { webhooks } from '../../../shared/subscriptions/webhooks.ts'
import { askForSweep, enqueue } from '../../../shared/webhooks/enqueue.ts'
import type { Deps, EdgeContext } from '../context.ts'
import { type App, type AppDeps, route } from '../http/route.ts'
import { requireKey } from '../middleware/api-key.ts'

/**
 * The management of an account's webhooks and alerts, with one quota for both (decision 16: the
 * management quota).
 */
export function managementRoutes(app: App, deps: AppDeps): void {
  manage(app, deps, webhooks, webhookOperations)
  manage(app, deps, alerts, alertOperations)
}

/** The routes of one kind, for the account that passed the gate. */
function manage<
  Stored extends StoredSubscription,
  New extends NewSubscription,
  Edit extends Switch,
>(app: App, deps: AppDeps, kind: Kind<Stored, New, Edit>, operations: Operations<New, Edit>): void {
  app.use(`/api/v2/${WORDS[kind.name].plural}/*`, requireKey(deps, { management: true }))
  manageAll(app, deps, kind, operations)
  manageOne(app, deps, kind, operations)
  sendAgain(app, deps, kind, operations)
}

type Operations<New extends NewSubscription, Edit extends Switch> = ReturnType<
  typeof managementOf<New, Edit>
> &
  ReturnType<typeof redeliveriesOf>

/** The routes of all subscriptions: the list, a creation, their deliveries. */
function manageAll<
  Stored extends StoredSubscription,
  New extends NewSubscription,
  Edit extends Switch,
>(app: App, deps: AppDeps, kind: Kind<Stored, New, Edit>, operations: Operations<New, Edit>): void {
  route(app, operations.list, [], async (c) => {
    const listed = await listSubscriptions(c.env.DB, kind, c.var.account.accountId, deps.now())
    const { plural, limit } = WORDS[kind.name]
    return c.json({ [plural]: listed.map((one) => kind.view(one)), limit })
  })

  route(app, operations.create, [], async (c, { body }) => {
    const owner = c.var.account.accountId
    const created = await createSubscription(contextOf(c, deps), kind, owner, body)
    const { subscription, isNew, secret } = valueOf(kind, created)

    const answer = { [kind.name]: kind.view(subscription), ...(secret !== null && { secret }) }
    return c.json({ ...answer, reconciled: !isNew }, isNew ? 201 : 200)
  })

  route(app, operations.deliveries, [], async (c, { query }) => {
    const { cursor, webhookId, alertId, ...filters } = query
    const after = cursor === undefined ? undefined : idOf(cursor)
    const asked = { ...filters, subscriptionId: webhookId ?? alertId, after }
    const page = await listDeliveries(c.env.DB, c.var.account.accountId, asked, kind.name)
    if (!page.ok) throw cursorNotFound()

    return c.json(pageView(kind, page.value))
  })
}

/** A test by e-mail has no delivery. */
const BY_EMAIL = { id: null, deliveryId: null }

/** The routes of one subscription: read, edit, delete, test. */
function manageOne<
  Stored extends StoredSubscription,
  New extends NewSubscription,
  Edit extends Switch,
>(app: App, deps: AppDeps, kind: Kind<Stored, New, Edit>, operations: Operations<New, Edit>): void {
  route(app, operations.read, [], async (c, { params }) => {
    const subscription = await findSubscription(c.env.DB, kind, ownOf(c, params), deps.now())
    if (!subscription) throw refusalError(kind.name, 'not_found')

    const url = await urlOf(c, subscription)
    if (url === null && subscription.sealed.url !== null) throw urlLost(kind.name)
    return c.json({ [kind.name]: { ...kind.view(subscription), url } })
  })

  route(app, operations.edit, [], async (c, { params, body }) => {
    const edited = await editSubscription(contextOf(c, deps), kind, ownOf(c, params), body)
    const { subscription, owesSync } = valueOf(kind, edited)
    if (owesSync) await askForSweep(c.env.DELIVERIES)
    return c.json({ [kind.name]: kind.view(subscription), reconciled: false })
  })

  route(app, operations.remove, [], async (c, { params, body: { version } }) => {
    const own = { ...ownOf(c, params), version }
    valueOf(kind, await removeSubscription(c.env.DB, own, kind.name))
    return c.json({ deleted: true })
  })

  route(app, operations.rotate, [], async (c, { params, body: { version } }) => {
    const own = { ...ownOf(c, params), version }
    const { subscription, secret } = valueOf(
      kind,
      await rotateSecret(contextOf(c, deps), kind, own),
    )
    return c.json({ [kind.name]: kind.view(subscription), secret, reconciled: false })
  })

  route(app, operations.test, [], async (c, { params }) => {
    const queued = valueOf(kind, await kind.test(contextOf(c, deps), ownOf(c, params)))
    await sendTest(c.env.DELIVERIES, queued)
    return c.json({ ...(queued ?? BY_EMAIL), status: 'pending' }, 202)
  })
}

/** Redelivers what a receiver missed: one delivery, or all since an instant. */
function sendAgain(
  app: App,
  deps: AppDeps,
  kind: Named,
  operations: ReturnType<typeof redeliveriesOf>,
): void {
  route(app, operations.redeliver, [], async (c, { params: { deliveryId } }) => {
    const own = { accountId: c.var.account.accountId, deliveryId }
    const queued = valueOf(kind, await redeliver(contextOf(c, deps), kind.name, own))
    await enqueue({ queue: c.env.DELIVERIES }, [{ id: queued.id }])
    return c.json({ ...queued, status: 'pending' }, 202)
  })

  route(app, operations.redeliverSince, [], async (c, { params, body }) => {
    const own = { ...ownOf(c, params), since: Date.parse(body.since) }
    const opened = await redeliverSince(contextOf(c, deps), kind.name, own)
    const { first, ...counts } = valueOf(kind, opened)
    await enqueue({ queue: c.env.DELIVERIES }, first)
    return c.json(counts, 202)
  })
}

type Here = Context<EdgeContext>
type Named = Pick<Kind<never, never, never>, 'name'>

function urlOf({ env }: Here, { id, sealed }: StoredSubscription): Promise<string | null> {
  return openField(openKeyring(env.KEY_ENCRYPTION_KEYS), id, 'url', sealed.url)
}

/** The subscription of the path, if the account owns it. */
function ownOf(c: Here, { id }: { id: string }) {
  return { accountId: c.var.account.accountId, id }
}

function valueOf<Value>({ name }: Named, result: Result<Value, SubscriptionRefusal>): Value {
  if (!result.ok) throw refusalError(name, result.refusal)
  return result.value
}

function contextOf({ env, req }: Here, { now, random }: Deps): SubscriptionContext {
  return openSubscriptionContext(env, { now: now(), random, requestUrl: req.url })
}

/** Refuses a cursor whose number is not a safe integer: no row has so large an id. */
function idOf(cursor: string): number {
  const id = Number(cursor.slice('v1:'.length))
  if (!Number.isSafeInteger(id)) throw cursorNotFound()
  return id
}

function cursorNotFound(): HttpError {
  return new HttpError(404, PAGE_NOT_FOUND)
}

function pageView(kind: Named, { deliveries, next }: DeliveryPage) {
  const nextCursor = next === null ? null : `v1:${next}`
  return { deliveries: deliveries.map((one) => deliveryView(kind, one)), nextCursor }
}

function deliveryView({ name }: Named, delivery: Delivery) {
  return {
    id: delivery.id,
    deliveryId: delivery.deliveryId,
    [`${name}Id`]: delivery.subscriptionId,
    currency: delivery.pair.currency,
    origin: delivery.pair.origin,
    destination: delivery.destination,
    type: delivery.type,
    status: delivery.status,
    attempts: delivery.attempts,
    code: delivery.code,
    errorType: delivery.errorType,
    createdAt: formatUtc(delivery.createdAt),
    lastAttemptAt: delivery.lastAttemptAt === null ? null : formatUtc(delivery.lastAttemptAt),
    resolvedAt: delivery.resolvedAt === null ? null : formatUtc(delivery.resolvedAt),
  }
}
