import type { RefusedInput } from '../../../../shared/result.ts'

/** Why nothing was made or changed of a receiver. Not every act of every kind gives each. */
export type ReceiverRefusal =
  | 'not_found'
  | 'version_changed'
  | 'limit_reached'
  /** The operation made something of the other kind, or of a pair that is gone. */
  | 'operation_taken'
  | 'unknown_pair'
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
