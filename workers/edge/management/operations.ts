/** The operations of webhooks and alerts, behind the gate. Loaded at the first of their requests. */
import type { Context } from 'hono'
import type * as z from 'zod'
import * as ofAlert from '../../../shared/api/alerts.ts'
import { emptyBody, sinceBody, versionBody } from '../../../shared/api/subscription-fields.ts'
import * as ofWebhook from '../../../shared/api/webhooks.ts'
import { openKeyring } from '../../../shared/crypto/keyring.ts'
import { badRequest, HttpError, unavailable } from '../../../shared/http-error.ts'
import { refuseQuery } from '../../../shared/query.ts'
import type { Result } from '../../../shared/result.ts'
import { PAGE_NOT_FOUND, WRONG_QUERY } from '../../../shared/sentences.ts'
import {
  openSubscriptionContext,
  type SubscriptionContext,
} from '../../../shared/subscriptions/context.ts'
import { type Delivery, listDeliveries } from '../../../shared/subscriptions/deliveries.ts'
import {
  alerts,
  sendTest,
  type Subscriptions,
  webhooks,
} from '../../../shared/subscriptions/kinds.ts'
import { findSubscription, listSubscriptions } from '../../../shared/subscriptions/read.ts'
import { redeliver, redeliverSince } from '../../../shared/subscriptions/redeliver.ts'
import type { SubscriptionRefusal } from '../../../shared/subscriptions/refusal.ts'
import { removeSubscription } from '../../../shared/subscriptions/remove.ts'
import { rotateSecret } from '../../../shared/subscriptions/rotate.ts'
import { openField } from '../../../shared/subscriptions/sealed-fields.ts'
import { enqueue } from '../../../shared/webhooks/enqueue.ts'
import type { Subscription, SubscriptionKind } from '../../../shared/webhooks/webhook.ts'
import type { Deps, EdgeContext } from '../context.ts'
import { parse, readJson } from './json-body.ts'
import { refusalError } from './refusals.ts'
import { alertDeliveryView, alertView, deliveryView, webhookView } from './views.ts'

/** How the API handles a kind. */
interface Spoken extends Subscriptions {
  createBody: z.ZodType
  editBody: z.ZodType
  view(subscription: Subscription): object
  readFilters: (c: Context<EdgeContext>) => DeliveryFilters
  deliveryView: (delivery: Delivery) => object
  /** Whether its reads refuse every parameter. The contract leaves webhooks' open. */
  refusesQuery: boolean
  /** The sentence for a URL that cannot be opened. */
  urlLost: string
}

type DeliveryFilters = Omit<z.output<typeof ofWebhook.deliveriesQuery>, 'webhookId'> & {
  subscriptionId?: string | undefined
}

const SPOKEN = {
  webhooks: {
    ...webhooks,
    createBody: ofWebhook.createBody,
    editBody: ofWebhook.editBody,
    view: webhookView,
    readFilters(c) {
      const { webhookId: subscriptionId, ...filters } = parseQuery(ofWebhook.deliveriesQuery, c)
      return { subscriptionId, ...filters }
    },
    deliveryView,
    refusesQuery: false,
    urlLost: 'La URL del webhook no se puede leer ahora',
  },
  alerts: {
    ...alerts,
    createBody: ofAlert.createBody,
    editBody: ofAlert.editBody,
    view: alertView,
    readFilters(c) {
      const { alertId: subscriptionId, ...filters } = parseQuery(ofAlert.deliveriesQuery, c)
      return { subscriptionId, ...filters }
    },
    deliveryView: alertDeliveryView,
    refusesQuery: true,
    urlLost: 'La URL de la alerta no se puede leer ahora',
  },
} satisfies Record<string, Spoken>

export type Plural = keyof typeof SPOKEN

export type Operation = keyof typeof operations

const RETRY_SEALED_SECONDS = 60

/** A test by e-mail has no delivery. */
const BY_EMAIL = { id: null, deliveryId: null }

/** Runs an operation of a kind for the account that the gate let in. */
export function manage(
  c: Context<EdgeContext>,
  deps: Deps,
  { plural, operation }: { plural: Plural; operation: Operation },
): Promise<Response> {
  return operations[operation](c, deps, { plural, ...SPOKEN[plural] })
}

type Handle = (
  c: Context<EdgeContext>,
  deps: Deps,
  spoken: Spoken & { plural: Plural },
) => Promise<Response>

const operations = {
  async list(c, { now }, { rows, plural, view, refusesQuery }) {
    if (refusesQuery) refuseQuery(c.req.raw)
    const listed = await listSubscriptions(c.env.DB, rows, c.var.account.accountId, now())
    return c.json({ [plural]: listed.map(view), limit: rows.limit })
  },

  async create(c, deps, { rows, create, createBody, view }) {
    const body = parse(createBody, await readJson(c.req.raw))
    const created = await create(contextOf(c, deps), c.var.account.accountId, body)
    const { subscription, isNew, secret } = valueOf(rows.kind, created)

    const answer = { [rows.kind]: view(subscription), ...(secret !== null && { secret }) }
    return c.json({ ...answer, reconciled: !isNew }, isNew ? 201 : 200)
  },

  async read(c, { now }, { rows, view, refusesQuery, urlLost }) {
    if (refusesQuery) refuseQuery(c.req.raw)
    const subscription = await findSubscription(c.env.DB, rows, ownOf(c), now())
    if (!subscription) throw refusalError(rows.kind, 'not_found')

    const { id, sealed } = subscription
    const url = await openField(openKeyring(c.env.KEY_ENCRYPTION_KEYS), id, 'url', sealed.url)
    if (url === null && sealed.url !== null) throw unavailable(urlLost, RETRY_SEALED_SECONDS)
    return c.json({ [rows.kind]: { ...view(subscription), url } })
  },

  async edit(c, deps, { rows, edit, editBody, view }) {
    const body = parse(editBody, await readJson(c.req.raw))
    const { accountId, id } = ownOf(c)
    const edited = await edit(contextOf(c, deps), accountId, id, body)
    const { subscription, due } = valueOf(rows.kind, edited)

    await enqueue({ queue: c.env.DELIVERIES }, due)
    return c.json({ [rows.kind]: view(subscription), reconciled: false })
  },

  async remove(c, _, { rows }) {
    const { version } = parse(versionBody, await readJson(c.req.raw))
    valueOf(rows.kind, await removeSubscription(c.env.DB, { ...ownOf(c), version }, rows.kind))
    return c.json({ deleted: true })
  },

  async rotate(c, deps, { rows, view }) {
    const { version } = parse(versionBody, await readJson(c.req.raw))
    const rotated = await rotateSecret(contextOf(c, deps), rows, { ...ownOf(c), version })
    const { subscription, secret } = valueOf(rows.kind, rotated)
    return c.json({ [rows.kind]: view(subscription), secret, reconciled: false })
  },

  async test(c, deps, { rows, test }) {
    parse(emptyBody, await readJson(c.req.raw, { optional: true }))
    const { accountId, id } = ownOf(c)
    const queued = valueOf(rows.kind, await test(contextOf(c, deps), accountId, id))
    await sendTest(c.env.DELIVERIES, queued)
    return c.json({ ...(queued ?? BY_EMAIL), status: 'pending' }, 202)
  },

  async deliveries(c, _, { rows, readFilters, deliveryView }) {
    const { cursor, ...filters } = readFilters(c)
    const query = { ...filters, after: cursor === undefined ? undefined : idOf(cursor) }
    const page = await listDeliveries(c.env.DB, c.var.account.accountId, query, rows.kind)
    if (!page.ok) throw cursorNotFound()

    const { deliveries, next } = page.value
    const nextCursor = next === null ? null : `v1:${next}`
    return c.json({ deliveries: deliveries.map(deliveryView), nextCursor })
  },

  async redeliver(c, deps, { rows }) {
    parse(emptyBody, await readJson(c.req.raw, { optional: true }))
    const { accountId } = c.var.account
    const own = { accountId, deliveryId: c.req.param('deliveryId')! }
    const queued = valueOf(rows.kind, await redeliver(contextOf(c, deps), rows.kind, own))
    await enqueue({ queue: c.env.DELIVERIES }, [{ id: queued.id }])
    return c.json({ ...queued, status: 'pending' }, 202)
  },

  async redeliverSince(c, deps, { rows }) {
    const { since } = parse(sinceBody, await readJson(c.req.raw))
    const own = { ...ownOf(c), since: Date.parse(since) }
    const opened = await redeliverSince(contextOf(c, deps), rows.kind, own)
    const { first, ...counts } = valueOf(rows.kind, opened)
    await enqueue({ queue: c.env.DELIVERIES }, first)
    return c.json(counts, 202)
  },
} satisfies Record<string, Handle>

/** The subscription of the address: `id` is a parameter of the routes above. */
function ownOf(c: Context<EdgeContext>): { accountId: string; id: string } {
  return { accountId: c.var.account.accountId, id: c.req.param('id')! }
}

function valueOf<Value>(kind: SubscriptionKind, result: Result<Value, SubscriptionRefusal>): Value {
  if (!result.ok) throw refusalError(kind, result.refusal)
  return result.value
}

function contextOf({ env, req }: Context<EdgeContext>, { now, random }: Deps): SubscriptionContext {
  return openSubscriptionContext(env, { now: now(), random, requestUrl: req.url })
}

/** The query of a request, or a 400: a parameter that is given twice is refused, too. */
function parseQuery<Schema extends z.ZodType>(
  schema: Schema,
  c: Context<EdgeContext>,
): z.output<Schema> {
  const parameters = new URL(c.req.url).searchParams
  const names = [...parameters.keys()]
  const parsed = schema.safeParse(Object.fromEntries(parameters))
  if (parsed.success && new Set(names).size === names.length) return parsed.data

  throw badRequest(WRONG_QUERY)
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
