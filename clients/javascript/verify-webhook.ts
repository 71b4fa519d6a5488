import { webCrypto } from './web-crypto.ts'
import type { WebhookEvent } from './api.ts'

export type Verification<Event = WebhookEvent> =
  | { valid: true; deliveryId: string; event: Event }
  | { valid: false; reason: 'missing_header' | 'old_timestamp' | 'wrong_signature' }

const encoder = new TextEncoder()

/**
 * Checks a delivery as Standard Webhooks has it: the age of the attempt, and the signature over the
 * delivery id, the time and the raw bytes as they came, before any parsing. `X-Service-Signature` is
 * not read: it does not cover the id, so whoever repeats a delivery could give it a new one.
 * Deduplicate by `deliveryId` yourself: a delivery may come more than once.
 *
 * Deliveries of an alert are of another form: `verifyWebhook<AlertEvent>(…)`.
 *
 * `secret` is the 64 hex characters as text, or its `standardSecret`. `toleranceSeconds`
 * bounds how far the attempt's time may be from `now`, in either direction.
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

/** The secret in the form of the Standard Webhooks libraries: `whsec_` and its text in base64. */
export function standardSecret(secret: string): string {
  return `whsec_${btoa(secret)}`
}

/** The key is the secret's text. */
function keyBytes(secret: string): BufferSource {
  return secret.startsWith('whsec_')
    ? fromBase64(secret.slice('whsec_'.length))
    : encoder.encode(secret)
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([...atob(text)], (character) => character.charCodeAt(0))
}

/** `name` is in lower case, like Node's header names; a record may have any case. */
function header(headers: Parameters<typeof verifyWebhook>[1], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined

  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
}
