import { managedMethods } from './managed.ts'
import type { RequestOptions } from './request.ts'
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

interface Answers {
  list: WebhookList
  create: IssuedWebhook | ReconciledWebhook
  get: { webhook: OwnWebhook }
  edit: EditedWebhook
  rotate: IssuedWebhook
  test: QueuedTest
  deliveries: DeliveryPage
}

/** The management of the account's webhooks. */
export function webhookMethods(options: RequestOptions) {
  return managedMethods<Answers, NewWebhook, WebhookEdit, DeliveriesOptions>(
    options,
    '/api/v2/webhooks',
  )
}
