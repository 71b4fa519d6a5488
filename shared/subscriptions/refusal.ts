import type { RefusedInput } from '../result.ts'

/** Why a subscription was not created or changed. Not every action of every kind has each reason. */
export type SubscriptionRefusal =
  | 'not_found'
  | 'version_changed'
  | 'limit_reached'
  /** The operation id belongs to the other kind, or to a pair that left the catalogue. */
  | 'operation_taken'
  | 'unknown_pair'
  /** No mail can be sent. */
  | 'mail_unavailable'
  | 'url_missing'
  | 'url_unwanted'
  | 'send_in_flight'
  | 'delivery_not_found'
  | 'delivery_open'
  /** It takes no redeliveries: it is paused, or an alert by e-mail, which makes no deliveries. */
  | 'paused'
  | 'by_email'
  | 'quote_unavailable'
  | 'capacity_exhausted'
  | 'admission_closed'
  | RefusedInput
