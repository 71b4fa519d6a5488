/** The operations of webhooks and alerts, behind the gate. Loaded at the first of their requests. */
import type { Context } from 'hono'
import type * as z from 'zod'
import * as ofAlert from '../../../shared/api/alerts.ts'
import { emptyBody, sinceBody, versionBody } from '../../../shared/api/subscription-fields.ts'
import * as ofWebhook from '../../../shared/api/webhooks.ts'
import { formatUtc } from '../../../shared/argentine-time.ts'
import { openKeyring } from '../../../shared/crypto/keyring.ts'
import { badRequest, HttpError } from '../../../shared/http-error.ts'
import { refuseQuery } from '../../../shared/query.ts'
import type { Result } from '../../../shared/result.ts'
import { PAGE_NOT_FOUND, WRONG_QUERY } from '../../../shared/sentences.ts'
import { alerts } from '../../../shared/subscriptions/alerts.ts'
import {
  openSubscriptionContext,
  type SubscriptionContext,
} from '../../../shared/subscriptions/context.ts'
import { createSubscription } from '../../../shared/subscriptions/create.ts'
import { type Delivery, listDeliveries } from '../../../shared/subscriptions/deliveries.ts'
import { editSubscription } from '../../../shared/subscriptions/edit.ts'
import {
  type Kind,
  type NewSubscription,
  sendTest,
  type Switch,
} from '../../../shared/subscriptions/kind.ts'
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
import { enqueue } from '../../../shared/webhooks/enqueue.ts'
import type { Deps, EdgeContext } from '../context.ts'
import { parse, readJson } from './json-body.ts'

const KINDS: Record<Kind['plural'], Kind> = { webhooks, alerts }

const BODIES: Record<Kind['plural'], Bodies> = { webhooks: ofWebhook, alerts: ofAlert }

/** What the API accepts of a kind. */
interface Bodies {
  createBody: z.ZodType<NewSubscription>
  editBody: z.ZodType<Switch>
  deliveriesQuery: z.ZodType<DeliveriesQuery>
}

interface DeliveriesQuery {
  deliveryId?: string | undefined
  status?: string | undefined
  cursor?: string | undefined
  limit: number
  webhookId?: string | undefined
  alertId?: string | undefined
}

export type Operation = keyof typeof operations

/** A test by e-mail has no delivery. */
const BY_EMAIL = { id: null, deliveryId: null }

/** Runs an operation of a kind for the account that the gate let in. */
export function manage(
  c: Context<EdgeContext>,
  deps: Deps,
  { plural, operation }: { plural: Kind['plural']; operation: Operation },
): Promise<Response> {
  return operations[operation](c, deps, KINDS[plural])
}

type Handle = (c: Context<EdgeContext>, deps: Deps, kind: Kind) => Promise<Response>

const operations = {
  async list(c, { now }, kind) {
    if (kind.refusesQuery) refuseQuery(c.req.raw)
    const listed = await listSubscriptions(c.env.DB, kind, c.var.account.accountId, now())
    return c.json({ [kind.plural]: listed.map((one) => kind.view(one)), limit: kind.limit })
  },

  async create(c, deps, kind) {
    const wanted = parse(BODIES[kind.plural].createBody, await readJson(c.req.raw))
    const { accountId } = c.var.account
    const created = await createSubscription(contextOf(c, deps), kind, accountId, wanted)
    const { subscription, isNew, secret } = valueOf(kind, created)

    const answer = { [kind.name]: kind.view(subscription), ...(secret !== null && { secret }) }
    return c.json({ ...answer, reconciled: !isNew }, isNew ? 201 : 200)
  },

  async read(c, { now }, kind) {
    if (kind.refusesQuery) refuseQuery(c.req.raw)
    const subscription = await findSubscription(c.env.DB, kind, ownOf(c), now())
    if (!subscription) throw refusalError(kind.name, 'not_found')

    const { id, sealed } = subscription
    const url = await openField(openKeyring(c.env.KEY_ENCRYPTION_KEYS), id, 'url', sealed.url)
    if (url === null && sealed.url !== null) throw urlLost(kind.name)
    return c.json({ [kind.name]: { ...kind.view(subscription), url } })
  },

  async edit(c, deps, kind) {
    const wanted = parse(BODIES[kind.plural].editBody, await readJson(c.req.raw))
    const edited = await editSubscription(contextOf(c, deps), kind, ownOf(c), wanted)
    const { subscription, due } = valueOf(kind, edited)
    await enqueue({ queue: c.env.DELIVERIES }, due)
    return c.json({ [kind.name]: kind.view(subscription), reconciled: false })
  },

  async remove(c, _, kind) {
    const { version } = parse(versionBody, await readJson(c.req.raw))
    valueOf(kind, await removeSubscription(c.env.DB, { ...ownOf(c), version }, kind.name))
    return c.json({ deleted: true })
  },

  async rotate(c, deps, kind) {
    const { version } = parse(versionBody, await readJson(c.req.raw))
    const rotated = await rotateSecret(contextOf(c, deps), kind, { ...ownOf(c), version })
    const { subscription, secret } = valueOf(kind, rotated)
    return c.json({ [kind.name]: kind.view(subscription), secret, reconciled: false })
  },

  async test(c, deps, kind) {
    parse(emptyBody, await readJson(c.req.raw, { optional: true }))
    const queued = valueOf(kind, await kind.test(contextOf(c, deps), ownOf(c)))
    await sendTest(c.env.DELIVERIES, queued)
    return c.json({ ...(queued ?? BY_EMAIL), status: 'pending' }, 202)
  },

  async deliveries(c, _, kind) {
    const { cursor, [kind.idField]: subscriptionId, ...filters } = parseQuery(kind, c.req.url)
    const after = cursor === undefined ? undefined : idOf(cursor)
    const query = { ...filters, subscriptionId, after }
    const page = await listDeliveries(c.env.DB, c.var.account.accountId, query, kind.name)
    if (!page.ok) throw cursorNotFound()

    const { deliveries, next } = page.value
    const nextCursor = next === null ? null : `v1:${next}`
    return c.json({ deliveries: deliveries.map((one) => deliveryView(kind, one)), nextCursor })
  },

  async redeliver(c, deps, kind) {
    parse(emptyBody, await readJson(c.req.raw, { optional: true }))
    const { accountId } = c.var.account
    const own = { accountId, deliveryId: c.req.param('deliveryId')! }
    const queued = valueOf(kind, await redeliver(contextOf(c, deps), kind.name, own))
    await enqueue({ queue: c.env.DELIVERIES }, [{ id: queued.id }])
    return c.json({ ...queued, status: 'pending' }, 202)
  },

  async redeliverSince(c, deps, kind) {
    const { since } = parse(sinceBody, await readJson(c.req.raw))
    const own = { ...ownOf(c), since: Date.parse(since) }
    const opened = await redeliverSince(contextOf(c, deps), kind.name, own)
    const { first, ...counts } = valueOf(kind, opened)
    await enqueue({ queue: c.env.DELIVERIES }, first)
    return c.json(counts, 202)
  },
} satisfies Record<string, Handle>

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

/** The query of a request, or a 400: a parameter that is given twice is refused, too. */
function parseQuery({ plural }: Kind, url: string): DeliveriesQuery {
  const parameters = new URL(url).searchParams
  const names = [...parameters.keys()]
  const parsed = BODIES[plural].deliveriesQuery.safeParse(Object.fromEntries(parameters))
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
