import { webCrypto } from './web-crypto.ts'
import type { Currency, Origin, ValueType } from './types.ts'

/** The body of a delivery. */
export interface WebhookEvent {
  event: 'rate.updated' | 'manual.trigger'
  currency: Currency
  origin: Origin
  buy: number
  sell: number
  prevBuy: number
  prevSell: number
  changePct: number
  valueType: ValueType
  updatedAt: string
  /** When the event was made. */
  timestamp: string
  isManual?: true | undefined
}

export type Verification<Event = WebhookEvent> =
  | { valid: true; deliveryId: string; event: Event }
  | { valid: false; reason: 'missing_header' | 'old_timestamp' | 'wrong_signature' }

const encoder = new TextEncoder()

/**
 * Checks a delivery: the signature over the raw bytes as they came, before any parsing, and the age
 * of the attempt. Deduplicate by `deliveryId` yourself: a delivery may come more than once.
 *
 * Deliveries of an alert are of another form: `verifyWebhook<AlertEvent>(…)`.
 *
 * `secret` is the 64 hex characters as text. `toleranceSeconds` bounds how far the attempt's time
 * may be from `now`, in either direction.
 */
export async function verifyWebhook<Event = WebhookEvent>(
  rawBody: string | Uint8Array<ArrayBuffer>,
  headers: Headers | Record<string, string | undefined>,
  secret: string,
  { toleranceSeconds = 300, now = Date.now() }: { toleranceSeconds?: number; now?: number } = {},
): Promise<Verification<Event>> {
  const timestamp = header(headers, 'X-Service-Timestamp')
  const signature = header(headers, 'X-Service-Signature')
  const deliveryId = header(headers, 'X-Service-Delivery-Id')
  if (!timestamp || !signature || !deliveryId) return { valid: false, reason: 'missing_header' }
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    return { valid: false, reason: 'old_timestamp' }
  }

  const body = typeof rawBody === 'string' ? encoder.encode(rawBody) : rawBody
  const mac = hexBytes(signature)
  const { subtle } = await webCrypto()
  const key = await subtle.importKey(
    'raw',
    encoder.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  // It compares in constant time.
  const valid = mac && (await subtle.verify('HMAC', key, mac, signed(timestamp, body)))
  if (!valid) return { valid: false, reason: 'wrong_signature' }

  return { valid: true, deliveryId, event: JSON.parse(new TextDecoder().decode(body)) }
}

function signed(timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const prefix = encoder.encode(`${timestamp}.`)
  const message = new Uint8Array(prefix.length + body.length)
  message.set(prefix)
  message.set(body, prefix.length)
  return message
}

function hexBytes(signature: string): Uint8Array<ArrayBuffer> | null {
  const hex = /^sha256=([0-9a-f]{64})$/.exec(signature)?.[1]
  return hex ? Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16)) : null
}

/** Node lower-cases header names; `Headers` takes any case. */
function header(
  headers: Headers | Record<string, string | undefined>,
  name: string,
): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined

  return Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
}
