import type * as api from './api.ts'
import { type Query, request, type RequestOptions } from './request.ts'
import type * as own from './types.ts'
import { newUuid } from './web-crypto.ts'

interface WebhookAnswers {
  list: api.WebhookList
  create: api.WebhookIssued | api.WebhookReconciled
  get: api.WebhookRead
  edit: api.WebhookEdited
  rotate: api.WebhookRotated
  test: api.TestQueued
  deliveries: api.DeliveryPage
}

interface AlertAnswers {
  list: api.AlertList
  create: api.AlertIssued | api.AlertReconciled
  get: api.AlertRead
  edit: api.AlertEdited
  rotate: api.AlertRotated
  test: api.AlertTestQueued
  deliveries: api.AlertDeliveryPage
}

/** The management of the account's webhooks. */
export const webhookMethods = (options: RequestOptions) =>
  managedMethods<WebhookAnswers, own.NewWebhook, api.EditWebhookBody, own.DeliveriesOptions>(
    options,
    '/api/v2/webhooks',
  )

/** The management of the account's alerts. */
export const alertMethods = (options: RequestOptions) =>
  managedMethods<AlertAnswers, own.NewAlert, own.AlertEdit, own.AlertDeliveriesOptions>(
    options,
    '/api/v2/alerts',
  )

/** The routes that webhooks and alerts have alike, below `path`. Each needs a key. */
function managedMethods<
  A extends Record<keyof WebhookAnswers, unknown>,
  New extends { operationId?: string | undefined },
  Edit extends { version: number },
  Deliveries extends Query,
>(options: RequestOptions, path: string) {
  const read = <Answer>(below = '', query: Query = {}) =>
    request<Answer>(options, { path: path + below, query, isPrivate: true })
  const change = <Answer>(method: string, below: string, body: object) =>
    request<Answer>(options, {
      path: path + below,
      method,
      body,
      isPrivate: true,
      isRepeatable: false,
    })

  return {
    /** All of the account, without address and secret. */
    list: () => read<A['list']>(),
    /** Makes one. A lost answer is asked for again under the same `operationId`, which makes no second. */
    create: async ({ operationId, ...made }: New) =>
      request<A['create']>(options, {
        path,
        method: 'POST',
        body: withNumbers({ operationId: operationId ?? (await newUuid()), ...made }),
        isPrivate: true,
      }),
    /** One, with its address. */
    get: (id: string) => read<A['get']>(below(id)),
    /** Edits, pauses (`enabled: false`) or activates (`enabled: true`). */
    edit: (id: string, edit: Edit) => change<A['edit']>('PATCH', below(id), withNumbers(edit)),
    /** Removes it, with its secrets and deliveries. */
    delete: (id: string, version: number) =>
      change<api.WebhookDeleted>('DELETE', below(id), { version }),
    /** Replaces the secret; the answer shows the new one this once. */
    rotateSecret: (id: string, version: number) =>
      change<A['rotate']>('POST', below(id, '/rotate-secret'), { version }),
    /** Queues an event that shows whether the receiver takes it. */
    test: (id: string) => change<A['test']>('POST', below(id, '/test'), {}),
    /** Sends a finished delivery again: the same id and bytes, to the present address. */
    redeliver: (deliveryId: string) =>
      change<api.RedeliveryQueued>(
        'POST',
        `/deliveries/${encodeURIComponent(deliveryId)}/redeliver`,
        {},
      ),
    /** Sends what it missed since an ISO instant again, oldest first, a hundred a call at the most. */
    redeliverSince: (id: string, since: string) =>
      change<api.Redelivered>('POST', below(id, '/redeliver'), { since }),
    /** What was sent, newest first, a page at a time. */
    deliveries: (query?: Deliveries) => read<A['deliveries']>('/deliveries', query),
  }
}

const below = (id: string, action = '') => `/${encodeURIComponent(id)}${action}`

const NUMBERS = ['threshold', 'hysteresis']

/** The API takes as numbers what may be given here as text. */
function withNumbers(body: object): object {
  const fields = Object.entries(body).map(([name, value]) => [
    name,
    typeof value === 'string' && NUMBERS.includes(name) ? Number(value) : value,
  ])
  return Object.fromEntries(fields)
}
