import { type Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import * as ofAlert from './alert-bodies.ts'
import { openKeyring } from '../../../shared/crypto/keyring.ts'
import {
  type MANAGED,
  MANAGED_ROUTES,
  type ManagedOperation,
} from '../../../shared/managed-routes.ts'
import type { Delivery } from '../db/deliveries.ts'
import { openSubscriptionContext, type SubscriptionContext } from '../db/subscriptions/context.ts'
import { findSubscription, listSubscriptions } from '../db/subscriptions/read.ts'
import { removeSubscription } from '../db/subscriptions/remove.ts'
import { redeliver, redeliverSince } from '../db/subscriptions/redeliver.ts'
import { rotateSecret } from '../db/subscriptions/rotate.ts'
import { openField } from '../../../shared/db/subscriptions/sealed-fields.ts'
import { unavailable } from '../../../shared/http-error.ts'
import { refuseQuery } from '../../../shared/query.ts'
import type { Result } from '../../../shared/result.ts'
import type { SubscriptionRefusal } from '../db/subscriptions/refusal.ts'
import { deliveriesQuery } from './deliveries-query.ts'
import { enqueue } from '../../../shared/webhooks/enqueue.ts'
import type { Subscription, SubscriptionKind } from '../../../shared/webhooks/webhook.ts'
import * as ofWebhook from './webhook-bodies.ts'
import { alerts, type Subscriptions, sendTest, webhooks } from '../subscriptions.ts'
import type { ManagementContext, ManagementDeps } from './context.ts'
import { type DeliveryFilters, parseQuery, readDeliveries } from './delivery-page.ts'
import { readJson, parse } from './json-body.ts'
import { refusalError } from './refusals.ts'
import { alertDeliveryView, alertView, deliveryView, secretView, webhookView } from './views.ts'

/** How the API handles a kind. */
interface Spoken extends Subscriptions {
  /** Below `/api/v2`, and the name of their list. */
  plural: (typeof MANAGED)[number]
  createBody: z.ZodMiniType
  editBody: z.ZodMiniType
  view(subscription: Subscription): object
  readFilters: (c: Context<ManagementContext>) => DeliveryFilters
  deliveryView: (delivery: Delivery) => object
  /** Whether its reads refuse every parameter. The contract leaves webhooks' open. */
  refusesQuery: boolean
  /** The sentence for a URL that cannot be opened. */
  urlLost: string
}

const RETRY_SEALED_SECONDS = 60

/** A test by e-mail has no delivery. */
const BY_EMAIL = { id: null, deliveryId: null }

export function webhookRoutes(deps: ManagementDeps) {
  return subscriptionRoutes(deps, {
    ...webhooks,
    ...ofWebhook,
    plural: 'webhooks',
    view: webhookView,
    readFilters(c) {
      const { webhookId: subscriptionId, ...filters } = parseQuery(deliveriesQuery, c)
      return { subscriptionId, ...filters }
    },
    deliveryView,
    refusesQuery: false,
    urlLost: 'La URL del webhook no se puede leer ahora',
  })
}

export function alertRoutes(deps: ManagementDeps) {
  return subscriptionRoutes(deps, {
    ...alerts,
    ...ofAlert,
    plural: 'alerts',
    view: alertView,
    readFilters(c) {
      const { alertId: subscriptionId, ...filters } = parseQuery(ofAlert.deliveriesQuery, c)
      return { subscriptionId, ...filters }
    },
    deliveryView: alertDeliveryView,
    refusesQuery: true,
    urlLost: 'La URL de la alerta no se puede leer ahora',
  })
}

/** The management of an account's subscriptions of a kind. */
function subscriptionRoutes(deps: ManagementDeps, spoken: Spoken) {
  const handlers: Record<ManagedOperation, Handle> = {
    ...ofAll(deps, spoken),
    ...ofOne(deps, spoken),
    ...ofDeliveries(deps, spoken),
  }
  const app = new Hono<ManagementContext>()
  for (const [name, [method, path]] of Object.entries(MANAGED_ROUTES)) {
    app.on(method, `/api/v2/${spoken.plural}${path}`, handlers[name as ManagedOperation])
  }
  return app
}

type Handle = (c: Context<ManagementContext>) => Promise<Response>
type Handlers<Name extends ManagedOperation> = Record<Name, Handle>

function ofAll(
  deps: ManagementDeps,
  { rows, plural, create, createBody, view, refusesQuery }: Spoken,
): Handlers<'list' | 'create'> {
  return {
    async list(c) {
      if (refusesQuery) refuseQuery(c.req.raw)
      const listed = await listSubscriptions(c.env.DB, rows, c.env.accountId, deps.now())
      return c.json({ [plural]: listed.map(view), limit: rows.limit })
    },
    async create(c) {
      const body = parse(createBody, await readJson(c.req.raw))
      const created = await create(contextOf(c, deps), c.env.accountId, body)
      const { subscription, isNew, secret } = valueOf(rows.kind, created)

      const answer = { [rows.kind]: view(subscription), ...(secret !== null && secretView(secret)) }
      return c.json({ ...answer, reconciled: !isNew }, isNew ? 201 : 200)
    },
  }
}

function ofOne(
  deps: ManagementDeps,
  { rows, edit, editBody, test, view, refusesQuery, urlLost }: Spoken,
): Handlers<'read' | 'edit' | 'remove' | 'rotate' | 'test'> {
  return {
    async read(c) {
      if (refusesQuery) refuseQuery(c.req.raw)
      const subscription = await findSubscription(c.env.DB, rows, ownOf(c), deps.now())
      if (!subscription) throw refusalError(rows.kind, 'not_found')

      const { id, sealed } = subscription
      const url = await openField(openKeyring(c.env.KEY_ENCRYPTION_KEYS), id, 'url', sealed.url)
      if (url === null && sealed.url !== null) throw unavailable(urlLost, RETRY_SEALED_SECONDS)
      return c.json({ [rows.kind]: { ...view(subscription), url } })
    },
    async edit(c) {
      const body = parse(editBody, await readJson(c.req.raw))
      const { accountId, id } = ownOf(c)
      const edited = await edit(contextOf(c, deps), accountId, id, body)
      const { subscription, due } = valueOf(rows.kind, edited)

      await enqueue({ queue: c.env.DELIVERIES }, due)
      return c.json({ [rows.kind]: view(subscription), reconciled: false })
    },
    async remove(c) {
      const { version } = parse(ofWebhook.versionBody, await readJson(c.req.raw))
      valueOf(rows.kind, await removeSubscription(c.env.DB, { ...ownOf(c), version }, rows.kind))
      return c.json({ deleted: true })
    },
    async rotate(c) {
      const { version } = parse(ofWebhook.versionBody, await readJson(c.req.raw))
      const rotated = await rotateSecret(contextOf(c, deps), rows, { ...ownOf(c), version })
      const { subscription, secret } = valueOf(rows.kind, rotated)
      return c.json({ [rows.kind]: view(subscription), ...secretView(secret), reconciled: false })
    },
    async test(c) {
      parse(ofWebhook.emptyBody, await readJson(c.req.raw, { optional: true }))
      const { accountId, id } = ownOf(c)
      const queued = valueOf(rows.kind, await test(contextOf(c, deps), accountId, id))
      await sendTest(c.env.DELIVERIES, queued)
      return c.json({ ...(queued ?? BY_EMAIL), status: 'pending' }, 202)
    },
  }
}

function ofDeliveries(
  deps: ManagementDeps,
  { rows, readFilters, deliveryView }: Spoken,
): Handlers<'deliveries' | 'redeliver' | 'redeliverSince'> {
  return {
    async deliveries(c) {
      const page = await readDeliveries(c, readFilters(c), rows.kind)
      return c.json({ ...page, deliveries: page.deliveries.map(deliveryView) })
    },
    async redeliver(c) {
      parse(ofWebhook.emptyBody, await readJson(c.req.raw, { optional: true }))
      const own = { accountId: c.env.accountId, deliveryId: c.req.param('deliveryId')! }
      const { kind } = rows
      const queued = valueOf(kind, await redeliver(contextOf(c, deps), kind, own))
      await enqueue({ queue: c.env.DELIVERIES }, [{ id: queued.id }])
      return c.json({ ...queued, status: 'pending' }, 202)
    },
    async redeliverSince(c) {
      const { since } = parse(ofWebhook.sinceBody, await readJson(c.req.raw))
      const own = { ...ownOf(c), since: Date.parse(since) }
      const opened = await redeliverSince(contextOf(c, deps), rows.kind, own)
      const { first, ...counts } = valueOf(rows.kind, opened)
      await enqueue({ queue: c.env.DELIVERIES }, first)
      return c.json(counts, 202)
    },
  }
}

/** The subscription of the address: `id` is a parameter of the route above these. */
function ownOf(c: Context<ManagementContext>): { accountId: string; id: string } {
  return { accountId: c.env.accountId, id: c.req.param('id')! }
}

function valueOf<Value>(kind: SubscriptionKind, result: Result<Value, SubscriptionRefusal>): Value {
  if (!result.ok) throw refusalError(kind, result.refusal)
  return result.value
}

function contextOf(
  { env, req }: Context<ManagementContext>,
  { now, random }: ManagementDeps,
): SubscriptionContext {
  return openSubscriptionContext(env, { now: now(), random, requestUrl: req.url })
}
