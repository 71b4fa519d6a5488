import { type ApiRequest, request, type RequestOptions } from './request.ts'
import { newUuid } from './web-crypto.ts'
import type {
  DeliveriesOptions,
  DeliveryPage,
  EditedWebhook,
  IssuedWebhook,
  NewWebhook,
  OwnWebhook,
  QueuedTest,
  ReconciledWebhook,
  WebhookEdit,
  WebhookList,
} from './webhook-types.ts'

const ALL = '/api/v2/webhooks'

const one = (id: string, action = '') => `${ALL}/${encodeURIComponent(id)}${action}`

/** The management of the account's webhooks. Each needs a key. */
export function webhookMethods(options: RequestOptions) {
  const ask = <Answer>(asked: ApiRequest) => request<Answer>(options, { isPrivate: true, ...asked })

  return {
    /** The account's webhooks, without address and secret. */
    list: () => ask<WebhookList>({ path: ALL }),
    /** Makes one. A lost answer is asked for again under the same `operationId`, which makes no second. */
    create: async ({ operationId, ...webhook }: NewWebhook) =>
      ask<IssuedWebhook | ReconciledWebhook>({
        path: ALL,
        method: 'POST',
        body: { operationId: operationId ?? (await newUuid()), ...webhook },
      }),
    /** One webhook, with its address. */
    get: (id: string) => ask<{ webhook: OwnWebhook }>({ path: one(id) }),
    /** Edits, pauses (`enabled: false`) or activates (`enabled: true`). */
    edit: (id: string, edit: WebhookEdit) =>
      ask<EditedWebhook>({ path: one(id), method: 'PATCH', body: edit, isRepeatable: false }),
    /** Removes it, with its secrets and deliveries. */
    delete: (id: string, version: number) =>
      ask<{ deleted: true }>({
        path: one(id),
        method: 'DELETE',
        body: { version },
        isRepeatable: false,
      }),
    /** Replaces the secret; the answer shows the new one this once. */
    rotateSecret: (id: string, version: number) =>
      ask<IssuedWebhook>({
        path: one(id, '/rotate-secret'),
        method: 'POST',
        body: { version },
        isRepeatable: false,
      }),
    /** Queues a `manual.trigger`. */
    test: (id: string) =>
      ask<QueuedTest>({ path: one(id, '/test'), method: 'POST', body: {}, isRepeatable: false }),
    /** What was sent, newest first, a page at a time. */
    deliveries: (query: DeliveriesOptions = {}) =>
      ask<DeliveryPage>({ path: `${ALL}/deliveries`, query: { ...query } }),
  }
}
