import type { Instant } from '../../../shared/argentine-time.ts'
import { sign } from './signature.ts'

export const USER_AGENT = 'Service/2.0'

interface Signed {
  deliveryId: string
  /** `system` for the system destination. */
  receiverId: string
  type: 'automatic' | 'manual' | 'sync'
  /** Null for the system destination, which is not signed (decision 35). */
  secret: string | null
  /** The receiver's credential, sent exactly as configured. */
  authorization: string | null
}

/**
 * The headers of one attempt, and no others: every attempt has a new timestamp and signature, the
 * id stays. `Host` and `Content-Length` are the transport's.
 */
export async function deliveryHeaders(
  delivery: Signed,
  body: string,
  at: Instant,
): Promise<Record<string, string>> {
  const timestamp = Math.floor(at / 1000)
  const { secret, authorization } = delivery

  return {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    'X-Service-Delivery-Id': delivery.deliveryId,
    'X-Service-Webhook-Id': delivery.receiverId,
    'X-Service-Timestamp': String(timestamp),
    ...(secret !== null && { 'X-Service-Signature': await sign(secret, timestamp, body) }),
    ...(delivery.type === 'sync' && { 'X-Service-Delivery-Type': 'sync' }),
    ...(authorization !== null && { Authorization: authorization }),
  }
}
