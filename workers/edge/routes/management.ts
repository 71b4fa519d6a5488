import type { Context } from 'hono'
import { alertOperations } from '../../../shared/api/alerts.ts'
import { webhookOperations } from '../../../shared/api/webhooks.ts'
import {
  type Delivery,
  type DeliveryPage,
  type DeliveryQuery,
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
import { editSubscription } from '../../../shared/subscriptions/edit.ts'
import {
  findSubscription,
  type Kind,
  listSubscriptions,
  type NewSubscription,
  sendTest,
  type Switch,
} from '../../../shared/subscriptions/kind.ts'
import { redeliver, redeliverSince } from '../../../shared/subscriptions/redeliver.ts'
import {
  refusalError,
  type SubscriptionRefusal,
  urlLost,
} from '../../../shared/subscriptions/refusal.ts'
import { removeSubscription } from '../../../shared/db/change-subscription.ts'
import { rotateSecret } from '../../../shared/subscriptions/rotate.ts'
import { openField } from '../../../shared/subscriptions/sealed-fields.ts'
import { webhooks } from '../../../shared/subscriptions/webhooks.ts'
import { askForSweep, enqueue } from '../../../shared/webhooks/enqueue.ts'
import type { Deps, EdgeContext } from '../context.ts'
import { type App, type AppDeps, route } from '../http/route.ts'
import { requireKey } from '../middleware/api-key.ts'

const OPERATIONS = { webhooks: webhookOperations, alerts: alertOperations }

/**
 * The management of an account's webhooks and alerts, with one quota for both (decision 16: the
 * management quota).
 */
export function managementRoutes(app: App, deps: AppDeps): void {
  const handlers = { webhooks: handlersOf(webhooks), alerts: handlersOf(alerts) }
  for (const plural of ['webhooks', 'alerts'] as const) {
    app.use(`/api/v2/${plural}/*`, requireKey(deps, { management: true }))
    for (const [name, operation] of Object.entries(OPERATIONS[plural]))
      // The route reads the input by the schema of the operation of this name.
      route(app, operation, [], (c, input) =>
        handlers[plural][name as keyof Handlers](c, deps, input as never),
      )
  }
}

/** A test by e-mail has no delivery. */
const BY_EMAIL = { id: null, deliveryId: null }

type Here = Context<EdgeContext>
type Handlers = ReturnType<typeof handlersOf>
type Named = Pick<Kind<never, never, never>, 'name' | 'idField'>
/** The query of a list of deliveries of either kind. */
interface ListQuery extends Pick<DeliveryQuery, 'deliveryId' | 'status' | 'limit'> {
  cursor?: string | undefined
  webhookId?: string | undefined
  alertId?: string | undefined
}

/** The operations of a kind, for the account that the gate let in. */
function handlersOf<
  Stored extends StoredSubscription,
  New extends NewSubscription,
  Edit extends Switch,
>(kind: Kind<Stored, New, Edit>) {
  return {
    async list(c: Here, { now }: Deps) {
      const listed = await listSubscriptions(c.env.DB, kind, c.var.account.accountId, now())
      return c.json({ [kind.plural]: listed.map((one) => kind.view(one)), limit: kind.limit })
    },

    async create(c: Here, deps: Deps, { body }: { body: New }) {
      const owner = c.var.account.accountId
      const created = await createSubscription(contextOf(c, deps), kind, owner, body)
      const { subscription, isNew, secret } = valueOf(kind, created)

      const answer = { [kind.name]: kind.view(subscription), ...(secret !== null && { secret }) }
      return c.json({ ...answer, reconciled: !isNew }, isNew ? 201 : 200)
    },

    async read(c: Here, { now }: Deps) {
      const subscription = await findSubscription(c.env.DB, kind, ownOf(c), now())
      if (!subscription) throw refusalError(kind.name, 'not_found')

      const url = await urlOf(c, subscription)
      if (url === null && subscription.sealed.url !== null) throw urlLost(kind.name)
      return c.json({ [kind.name]: { ...kind.view(subscription), url } })
    },

    async edit(c: Here, deps: Deps, { body }: { body: Edit | Switch }) {
      const edited = await editSubscription(contextOf(c, deps), kind, ownOf(c), body)
      const { subscription, owesSync } = valueOf(kind, edited)
      if (owesSync) await askForSweep(c.env.DELIVERIES)
      return c.json({ [kind.name]: kind.view(subscription), reconciled: false })
    },

    async remove(c: Here, _: Deps, { body: { version } }: { body: { version: number } }) {
      valueOf(kind, await removeSubscription(c.env.DB, { ...ownOf(c), version }, kind.name))
      return c.json({ deleted: true })
    },

    async rotate(c: Here, deps: Deps, { body: { version } }: { body: { version: number } }) {
      const rotated = await rotateSecret(contextOf(c, deps), kind, { ...ownOf(c), version })
      const { subscription, secret } = valueOf(kind, rotated)
      return c.json({ [kind.name]: kind.view(subscription), secret, reconciled: false })
    },

    async test(c: Here, deps: Deps) {
      const queued = valueOf(kind, await kind.test(contextOf(c, deps), ownOf(c)))
      await sendTest(c.env.DELIVERIES, queued)
      return c.json({ ...(queued ?? BY_EMAIL), status: 'pending' }, 202)
    },

    async deliveries(c: Here, _: Deps, { query: asked }: { query: ListQuery }) {
      const { cursor, webhookId, alertId, ...filters } = asked
      const after = cursor === undefined ? undefined : idOf(cursor)
      const query = { ...filters, subscriptionId: webhookId ?? alertId, after }
      const page = await listDeliveries(c.env.DB, c.var.account.accountId, query, kind.name)
      if (!page.ok) throw cursorNotFound()

      return c.json(pageView(kind, page.value))
    },

    async redeliver(c: Here, deps: Deps) {
      const { accountId } = c.var.account
      const own = { accountId, deliveryId: c.req.param('deliveryId')! }
      const queued = valueOf(kind, await redeliver(contextOf(c, deps), kind.name, own))
      await enqueue({ queue: c.env.DELIVERIES }, [{ id: queued.id }])
      return c.json({ ...queued, status: 'pending' }, 202)
    },

    async redeliverSince(c: Here, deps: Deps, { body }: { body: { since: string } }) {
      const own = { ...ownOf(c), since: Date.parse(body.since) }
      const opened = await redeliverSince(contextOf(c, deps), kind.name, own)
      const { first, ...counts } = valueOf(kind, opened)
      await enqueue({ queue: c.env.DELIVERIES }, first)
      return c.json(counts, 202)
    },
  }
}

function urlOf({ env }: Here, { id, sealed }: StoredSubscription): Promise<string | null> {
  return openField(openKeyring(env.KEY_ENCRYPTION_KEYS), id, 'url', sealed.url)
}

/** The subscription of the address: `id` is a parameter of the routes above. */
function ownOf(c: Here): { accountId: string; id: string } {
  return { accountId: c.var.account.accountId, id: c.req.param('id')! }
}

function valueOf<Value>({ name }: Named, result: Result<Value, SubscriptionRefusal>): Value {
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

function pageView(kind: Named, { deliveries, next }: DeliveryPage) {
  const nextCursor = next === null ? null : `v1:${next}`
  return { deliveries: deliveries.map((one) => deliveryView(kind, one)), nextCursor }
}

function deliveryView({ idField }: Named, delivery: Delivery) {
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
