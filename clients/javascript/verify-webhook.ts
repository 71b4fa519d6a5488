import { webCrypto } from './web-crypto.ts'
import type { WebhookEvent } from './api.ts'

export type Verification<Event = WebhookEvent> =
  | { valid: true; deliveryId: string; event: Event }
  | { valid: false; reason: 'missing_header' | 'old_timestamp' | 'wrong_signature' }

const encoder = new TextEncoder()

/**
 * Checks a delivery by Standard Webhooks: the time of the attempt, and the signature over the
 * delivery id, the time and the raw body before any parsing. Does not read `X-Service-Signature`,
 * which does not cover the id: an attacker could repeat a delivery with a new id. A delivery may
 * come more than once, so drop the `deliveryId`s that you have seen.
 *
 * Deliveries of alerts have another type: `verifyWebhook<AlertEvent>(…)`.
 *
 * `secret` is the text of 64 hex characters, or its `standardSecret`. `toleranceSeconds` is the
 * largest difference between the attempt's time and `now`, in either direction.
 */
export async function verifyWebhook<Event = WebhookEvent>(
  rawBody: string | Uint8Array<ArrayBuffer>,
  headers: Headers | Record<string, string | undefined>,
  secret: string,
  { toleranceSeconds = 300, now = Date.now() }: { toleranceSeconds?: number; now?: number } = {},
): Promise<Verification<Event>> {
  const [deliveryId, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    header(headers, `webhook-${name}`),
  )
  if (!deliveryId || !timestamp || !signatures) return { valid: false, reason: 'missing_header' }
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    return { valid: false, reason: 'old_timestamp' }
  }

  const body = typeof rawBody === 'string' ? encoder.encode(rawBody) : rawBody
  const message = new Uint8Array([...encoder.encode(`${deliveryId}.${timestamp}.`), ...body])
  const { subtle } = await webCrypto()
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await subtle.importKey('raw', keyBytes(secret), hmac, false, ['verify'])
  // `verify` compares in constant time.
  const matches = await Promise.all(
    macsOf(signatures).map((mac) => subtle.verify('HMAC', key, mac, message)),
  )
  if (!matches.includes(true)) return { valid: false, reason: 'wrong_signature' }

  return { valid: true, deliveryId, event: JSON.parse(new TextDecoder().decode(body)) }
}

/** The header may hold several signatures; one of version 1 must match. */
function macsOf(signatures: string): Uint8Array<ArrayBuffer>[] {
  return signatures
    .split(' ')
    .map((one) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(one)?.[1])
    .flatMap((base64) => (base64 ? [fromBase64(base64)] : []))
}

/** The secret for libraries of Standard Webhooks: `whsec_` and the secret's text in base64. */
export function standardSecret(secret: string): string {
  return `whsec_${btoa(secret)}`
}

/** The key of the HMAC: the bytes of the secret's text. */
function keyBytes(secret: string): BufferSource {
  return secret.startsWith('whsec_')
    ? fromBase64(secret.slice('whsec_'.length))
    : encoder.encode(secret)
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([...atob(text)], (character) => character.charCodeAt(0))
}

/** The value of a header. `name` is in lower case; a record may have names in any case. */
function header(headers: Parameters<typeof verifyWebhook>[1], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined

  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
}
