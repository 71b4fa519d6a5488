import type { Instant } from '../../../shared/argentine-time.ts'
import { toBase64, toHex } from '../../../shared/encoding.ts'
import { hmacSha256 } from '../../../shared/crypto/hmac.ts'
import type { DeliveryType } from '../../../shared/webhooks/delivery.ts'

const USER_AGENT = 'Service/2.0'

interface Signed {
  deliveryId: string
  /** `system` for the destination of the service's owner (`SYSTEM_WEBHOOK_URL`). */
  subscriptionId: string
  type: DeliveryType
  /** Null for the system destination, which is not signed (decision 35: the system destination). */
  secret: string | null
  /** The receiver's credential, sent exactly as configured. */
  authorization: string | null
}

/**
 * All headers of one attempt except `Host` and `Content-Length`, which the transport adds. Each
 * attempt has a new timestamp and signature, but the same id.
 */
export async function deliveryHeaders(
  { deliveryId, subscriptionId, type, secret, authorization }: Signed,
  body: string,
  at: Instant,
): Promise<Record<string, string>> {
  const timestamp = Math.floor(at / 1000)

  return {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    'X-Service-Delivery-Id': deliveryId,
    'X-Service-Webhook-Id': subscriptionId,
    'X-Service-Timestamp': String(timestamp),
    ...(secret !== null && {
      'X-Service-Signature': await sign(secret, timestamp, body),
      'webhook-id': deliveryId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': await signStandard(secret, { deliveryId, timestamp }, body),
    }),
    ...(type === 'sync' && { 'X-Service-Delivery-Type': 'sync' }),
    ...(authorization !== null && { Authorization: authorization }),
  }
}

/**
 * Signs as the contract says: HMAC-SHA256 over `timestamp.body`, `timestamp` in Unix seconds. The
 * secret is 64 hex characters used as text, not decoded to bytes.
 */
export async function sign(secret: string, timestamp: number, body: string): Promise<string> {
  return `sha256=${toHex(await hmacSha256(secret, `${timestamp}.${body}`))}`
}

/** Signs as Standard Webhooks 1.0.0 says, with the same key, over `id.timestamp.body`. */
export async function signStandard(
  secret: string,
  { deliveryId, timestamp }: { deliveryId: string; timestamp: number },
  body: string,
): Promise<string> {
  return `v1,${toBase64(await hmacSha256(secret, `${deliveryId}.${timestamp}.${body}`))}`
}
