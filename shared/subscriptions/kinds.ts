/** Webhooks and alerts, as the API's routes and the account's pages manage them alike. */
import { createAlert, type NewAlert } from './create-alert.ts'
import { type AlertEdit, editAlert } from './edit-alert.ts'
import { alertRows, type StoredAlert } from './alert-row.ts'
import { testAlert } from './test-alert.ts'
import type { SubscriptionContext } from './context.ts'
import { type Created, createWebhook, type NewWebhook } from './create.ts'
import { type Edited, editWebhook, type WebhookEdit } from './edit.ts'
import type { SubscriptionRefusal } from './refusal.ts'
import { type Rows, type StoredSubscription, type StoredWebhook, webhookRows } from './row.ts'
import { type QueuedDelivery, testWebhook } from './test-webhook.ts'
import type { Result } from '../result.ts'
import { askForSweep, enqueue } from '../webhooks/enqueue.ts'

/** An edit that pauses or activates. */
export interface Switch {
  version: number
  enabled: boolean
}

/** What differs between the kinds. Rotating and deleting do not. */
export interface Subscriptions<
  Stored extends StoredSubscription = StoredSubscription,
  New = unknown,
  Edit = unknown,
> {
  rows: Rows<Stored>
  create(
    context: SubscriptionContext,
    accountId: string,
    wanted: New,
  ): Promise<Result<Created<Stored>, SubscriptionRefusal>>
  edit(
    context: SubscriptionContext,
    accountId: string,
    id: string,
    edit: Edit | Switch,
  ): Promise<Result<Edited<Stored>, SubscriptionRefusal>>
  /** Null: the test goes by e-mail. */
  test(
    context: SubscriptionContext,
    accountId: string,
    id: string,
  ): Promise<Result<QueuedDelivery | null, SubscriptionRefusal>>
}

export const webhooks: Subscriptions<StoredWebhook, NewWebhook, WebhookEdit> = {
  rows: webhookRows,
  create: createWebhook,
  edit: editWebhook,
  test: testWebhook,
}

export const alerts: Subscriptions<StoredAlert, NewAlert, AlertEdit> = {
  rows: alertRows,
  create: createAlert,
  edit: editAlert,
  test: testAlert,
}

/** Has a test sent now: an e-mail goes out with a sweep. */
export async function sendTest(queue: Queue, test: QueuedDelivery | null): Promise<void> {
  await (test ? enqueue({ queue }, [{ id: test.id }]) : askForSweep(queue))
}
