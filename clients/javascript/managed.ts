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

/** The routes of webhooks or alerts, below `path`. Each needs a key. */
function managedMethods<
  A extends Record<keyof WebhookAnswers, unknown>,
  New extends { operationId?: string | undefined },
  Edit extends { version: number },
  Deliveries extends Query,
>(options: RequestOptions, path: string) {
  const read = <Answer>(below = '', query: Query = {}) =>
    request<Answer>(options, { path: path + below, query, isPrivate: true })
  const change = <Answer>(method: string, below: string, fields: object, isRepeatable = false) => {
    const body = withNumbers(fields)
    return request<Answer>(options, {
      path: path + below,
      method,
      body,
      isPrivate: true,
      isRepeatable,
    })
  }

  return {
    /** All webhooks or alerts of the account, without URL and secret. */
    list: () => read<A['list']>(),
    /** Creates one. A retry has the same `operationId`, so it does not create a second. */
    create: async ({ operationId, ...made }: New) => {
      const body = { operationId: operationId ?? (await newUuid()), ...made }
      return change<A['create']>('POST', '', body, true)
    },
    /** The webhook or alert with an id, with its URL. */
    get: (id: string) => read<A['get']>(below(id)),
    /** Edits, pauses (`enabled: false`) or activates (`enabled: true`). */
    edit: (id: string, edit: Edit) => change<A['edit']>('PATCH', below(id), edit),
    /** Deletes it, with its secrets and deliveries. */
    delete: (id: string, version: number) =>
      change<api.WebhookDeleted>('DELETE', below(id), { version }),
    /** Replaces the secret. Only this answer shows the new secret. */
    rotateSecret: (id: string, version: number) =>
      change<A['rotate']>('POST', below(id, '/rotate-secret'), { version }),
    /** Queues a test delivery, which shows whether the receiver accepts deliveries. */
    test: (id: string) => change<A['test']>('POST', below(id, '/test'), {}),
    /** Sends a finished delivery again, with the same id and bytes, to the current URL. */
    redeliver: (deliveryId: string) =>
      change<api.RedeliveryQueued>('POST', `/deliveries${below(deliveryId, '/redeliver')}`, {}),
    /** Sends missed deliveries since an ISO instant again, oldest first, at most 100 per call. */
    redeliverSince: (id: string, since: string) =>
      change<api.Redelivered>('POST', below(id, '/redeliver'), { since }),
    /** The deliveries, newest first, in pages. */
    deliveries: (query?: Deliveries) => read<A['deliveries']>('/deliveries', query),
  }
}

const below = (id: string, action = '') => `/${encodeURIComponent(id)}${action}`

const NUMBERS = ['threshold', 'hysteresis']

/** Converts the numbers that a caller may give as text. */
function withNumbers(body: object): object {
  const fields = Object.entries(body).map(([name, value]) => [
    name,
    typeof value === 'string' && NUMBERS.includes(name) ? Number(value) : value,
  ])
  return Object.fromEntries(fields)
}
