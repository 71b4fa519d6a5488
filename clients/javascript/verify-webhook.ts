import { webCrypto } from './web-crypto.ts'
import type { WebhookEvent } from './api.ts'

export type Verification<Event = WebhookEvent> =
  | { valid: true; deliveryId: string; event: Event }
  | { valid: false; reason: 'missing_header' | 'old_timestamp' | 'wrong_signature' }

const encoder = new TextEncoder()

/**
 * Checks a delivery: the signature over the raw bytes as they came, before any parsing, and the age
 * of the attempt. It takes the signature of Standard Webhooks, which covers the delivery id too;
 * where that is absent, our own, which does not. Deduplicate by `deliveryId` yourself: a delivery
 * may come more than once.
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
  const signed =
    header(headers, 'webhook-signature') === undefined ? ownOf(headers) : standardOf(headers)
  if (!signed) return { valid: false, reason: 'missing_header' }
  const { deliveryId, timestamp, prefix, macs } = signed
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    return { valid: false, reason: 'old_timestamp' }
  }

  const body = typeof rawBody === 'string' ? encoder.encode(rawBody) : rawBody
  const message = joined(encoder.encode(prefix), body)
  const { subtle } = await webCrypto()
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await subtle.importKey('raw', keyBytes(secret), hmac, false, ['verify'])
  // `verify` compares in constant time.
  const matches = await Promise.all(macs.map((mac) => subtle.verify('HMAC', key, mac, message)))
  if (!matches.includes(true)) return { valid: false, reason: 'wrong_signature' }

  return { valid: true, deliveryId, event: JSON.parse(new TextDecoder().decode(body)) }
}

/** What the headers of a delivery say. */
interface Signed {
  deliveryId: string
  timestamp: string
  /** What is signed before the body. */
  prefix: string
  /** One of these has to match. */
  macs: Uint8Array<ArrayBuffer>[]
}

type GivenHeaders = Parameters<typeof verifyWebhook>[1]

/** The headers of Standard Webhooks, which may hold several signatures. */
function standardOf(headers: GivenHeaders): Signed | null {
  const deliveryId = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signature = header(headers, 'webhook-signature')
  if (!deliveryId || !timestamp || !signature) return null

  const macs = signature
    .split(' ')
    .map((one) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(one)?.[1])
    .flatMap((base64) => (base64 ? [fromBase64(base64)] : []))
  return { deliveryId, timestamp, prefix: `${deliveryId}.${timestamp}.`, macs }
}

function ownOf(headers: GivenHeaders): Signed | null {
  const deliveryId = header(headers, 'X-Service-Delivery-Id')
  const timestamp = header(headers, 'X-Service-Timestamp')
  const signature = header(headers, 'X-Service-Signature')
  if (!deliveryId || !timestamp || !signature) return null

  const hex = /^sha256=([0-9a-f]{64})$/.exec(signature)?.[1]
  const macs = hex ? [Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16))] : []
  return { deliveryId, timestamp, prefix: `${timestamp}.`, macs }
}

/** The secret as the libraries of Standard Webhooks take it: `whsec_` and its text in base64. */
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

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

/** Node lower-cases header names; `Headers` takes any case. */
function header(headers: GivenHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined

  return Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
}
