import type { Context } from 'hono'
import type { Operation } from '../../../shared/api/operation.ts'
import { alertOperations } from '../../../shared/api/alerts.ts'
import { webhookOperations } from '../../../shared/api/webhooks.ts'
import { formatUtc } from '../../../shared/argentine-time.ts'
import { openKeyring } from '../../../shared/crypto/keyring.ts'
import { HttpError } from '../../../shared/http-error.ts'
import type { Result } from '../../../shared/result.ts'
import { PAGE_NOT_FOUND } from '../../../shared/sentences.ts'
import { alerts } from '../../../shared/subscriptions/alerts.ts'
import {
  openSubscriptionContext,
  type SubscriptionContext,
} from '../../../shared/subscriptions/context.ts'
import { createSubscription } from '../../../shared/subscriptions/create.ts'
import { type Delivery, listDeliveries } from '../../../shared/subscriptions/deliveries.ts'
import { editSubscription } from '../../../shared/subscriptions/edit.ts'
import { type Kind, sendTest } from '../../../shared/subscriptions/kind.ts'
import { findSubscription, listSubscriptions } from '../../../shared/subscriptions/read.ts'
import { redeliver, redeliverSince } from '../../../shared/subscriptions/redeliver.ts'
import {
  refusalError,
  type SubscriptionRefusal,
  urlLost,
} from '../../../shared/subscriptions/refusal.ts'
import { removeSubscription } from '../../../shared/subscriptions/remove.ts'
import { rotateSecret } from '../../../shared/subscriptions/rotate.ts'
import { openField } from '../../../shared/subscriptions/sealed-fields.ts'
import { webhooks } from '../../../shared/subscriptions/webhooks.ts'
import { askForSweep, enqueue } from '../../../shared/webhooks/enqueue.ts'
import type { Deps, EdgeContext } from '../context.ts'
import { type App, type AppDeps, type Input, route } from '../http/route.ts'
import { requireKey } from '../middleware/api-key.ts'

const OPERATIONS = { webhooks: webhookOperations, alerts: alertOperations }

/**
 * The management of an account's webhooks and alerts, with one quota for both (decision 16: the
 * management quota).
 */
export function managementRoutes(app: App, deps: AppDeps): void {
  for (const kind of [webhooks, alerts] as const satisfies readonly Kind[]) {
    app.use(`/api/v2/${kind.plural}/*`, requireKey(deps, { management: true }))
    for (const [name, operation] of Object.entries(OPERATIONS[kind.plural]))
      route(app, operation, [], (c, input) =>
        handlers[name as keyof typeof handlers](c, deps, kind, input as never),
      )
  }
}

/** A test by e-mail has no delivery. */
const BY_EMAIL = { id: null, deliveryId: null }

type Operations = typeof webhookOperations
type InputOf<Name extends keyof Operations> =
  Operations[Name] extends Operation<infer Params, infer Query, infer Body>
    ? Input<Params, Query, Body>
    : never

const handlers = {
  async list(c, { now }, kind) {
    const listed = await listSubscriptions(c.env.DB, kind, c.var.account.accountId, now())
    return c.json({ [kind.plural]: listed.map((one) => kind.view(one)), limit: kind.limit })
  },

  async create(c, deps, kind, { body }) {
    const { accountId } = c.var.account
    const created = await createSubscription(contextOf(c, deps), kind, accountId, body)
    const { subscription, isNew, secret } = valueOf(kind, created)

    const answer = { [kind.name]: kind.view(subscription), ...(secret !== null && { secret }) }
    return c.json({ ...answer, reconciled: !isNew }, isNew ? 201 : 200)
  },

  async read(c, { now }, kind) {
    const subscription = await findSubscription(c.env.DB, kind, ownOf(c), now())
    if (!subscription) throw refusalError(kind.name, 'not_found')

    const { id, sealed } = subscription
    const url = await openField(openKeyring(c.env.KEY_ENCRYPTION_KEYS), id, 'url', sealed.url)
    if (url === null && sealed.url !== null) throw urlLost(kind.name)
    return c.json({ [kind.name]: { ...kind.view(subscription), url } })
  },

  async edit(c, deps, kind, { body }) {
    const edited = await editSubscription(contextOf(c, deps), kind, ownOf(c), body)
    const { subscription, owesSync } = valueOf(kind, edited)
    if (owesSync) await askForSweep(c.env.DELIVERIES)
    return c.json({ [kind.name]: kind.view(subscription), reconciled: false })
  },

  async remove(c, _, kind, { body: { version } }) {
    valueOf(kind, await removeSubscription(c.env.DB, { ...ownOf(c), version }, kind.name))
    return c.json({ deleted: true })
  },

  async rotate(c, deps, kind, { body: { version } }) {
    const rotated = await rotateSecret(contextOf(c, deps), kind, { ...ownOf(c), version })
    const { subscription, secret } = valueOf(kind, rotated)
    return c.json({ [kind.name]: kind.view(subscription), secret, reconciled: false })
  },

  async test(c, deps, kind) {
    const queued = valueOf(kind, await kind.test(contextOf(c, deps), ownOf(c)))
    await sendTest(c.env.DELIVERIES, queued)
    return c.json({ ...(queued ?? BY_EMAIL), status: 'pending' }, 202)
  },

  async deliveries(c, _, kind, { query: { cursor, [kind.idField]: subscriptionId, ...filters } }) {
    const after = cursor === undefined ? undefined : idOf(cursor)
    const query = { ...filters, subscriptionId, after }
    const page = await listDeliveries(c.env.DB, c.var.account.accountId, query, kind.name)
    if (!page.ok) throw cursorNotFound()

    const { deliveries, next } = page.value
    const nextCursor = next === null ? null : `v1:${next}`
    return c.json({ deliveries: deliveries.map((one) => deliveryView(kind, one)), nextCursor })
  },

  async redeliver(c, deps, kind) {
    const { accountId } = c.var.account
    const own = { accountId, deliveryId: c.req.param('deliveryId')! }
    const queued = valueOf(kind, await redeliver(contextOf(c, deps), kind.name, own))
    await enqueue({ queue: c.env.DELIVERIES }, [{ id: queued.id }])
    return c.json({ ...queued, status: 'pending' }, 202)
  },

  async redeliverSince(c, deps, kind, { body }) {
    const own = { ...ownOf(c), since: Date.parse(body.since) }
    const opened = await redeliverSince(contextOf(c, deps), kind.name, own)
    const { first, ...counts } = valueOf(kind, opened)
    await enqueue({ queue: c.env.DELIVERIES }, first)
    return c.json(counts, 202)
  },
} satisfies {
  [Name in keyof Operations]: (
    c: Context<EdgeContext>,
    deps: Deps,
    kind: Kind,
    input: InputOf<Name>,
  ) => Promise<Response>
}

/** The subscription of the address: `id` is a parameter of the routes above. */
function ownOf(c: Context<EdgeContext>): { accountId: string; id: string } {
  return { accountId: c.var.account.accountId, id: c.req.param('id')! }
}

function valueOf<Value>({ name }: Kind, result: Result<Value, SubscriptionRefusal>): Value {
  if (!result.ok) throw refusalError(name, result.refusal)
  return result.value
}

function contextOf({ env, req }: Context<EdgeContext>, { now, random }: Deps): SubscriptionContext {
  return openSubscriptionContext(env, { now: now(), random, requestUrl: req.url })
}

/** No row has an id that large. */
function idOf(cursor: string): number {
  const id = Number(cursor.slice('v1:'.length))
  if (!Number.isSafeInteger(id)) throw cursorNotFound()
  return id
}

function cursorNotFound(): HttpError {
  return new HttpError(404, PAGE_NOT_FOUND)
}

function deliveryView({ idField }: Kind, delivery: Delivery) {
  return {
    id: delivery.id,
    deliveryId: delivery.deliveryId,
    [idField]: delivery.subscriptionId,
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
