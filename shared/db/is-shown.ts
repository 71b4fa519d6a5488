import type { SubscriptionKind } from '../webhooks/webhook.ts'
import { inCatalogue } from './in-catalogue.ts'

/** Whether a subscription, under its name in the statement, is of a kind and of a pair of the catalogue. */
export function isShown(kind: SubscriptionKind, row = 'subscriptions'): string {
  return `${row}.kind = '${kind}' and ${inCatalogue(`${row}.pair`)}`
}
