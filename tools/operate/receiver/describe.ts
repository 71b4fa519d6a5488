import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** How far the clock of a delivery may be from ours. */
const WINDOW_SECONDS = 300

export type SignatureState = 'valid' | 'invalid' | 'stale' | 'missing' | 'unchecked (no secret yet)'

/** Verifies a delivery over its raw bytes, with any of the secrets. */
export function verify(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secrets: readonly string[],
  nowSeconds: number,
): SignatureState {
  const signature = headers['x-service-signature']
  const timestamp = headers['x-service-timestamp']
  if (typeof signature !== 'string' || typeof timestamp !== 'string') return 'missing'
  if (secrets.length === 0) return 'unchecked (no secret yet)'
  if (!secrets.some((secret) => matches(signature, secret, timestamp, body))) return 'invalid'

  return Math.abs(nowSeconds - Number(timestamp)) <= WINDOW_SECONDS ? 'valid' : 'stale'
}

function matches(signature: string, secret: string, timestamp: string, body: Buffer): boolean {
  const mac = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
  const expected = Buffer.from(`sha256=${mac}`)
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

export function describeDelivery(
  headers: IncomingHttpHeaders,
  body: Buffer,
  signature: SignatureState,
  isRepeated: boolean,
): string {
  const id = headers['x-service-delivery-id'] ?? '?'
  const webhook = headers['x-service-webhook-id'] ?? '?'
  const type = headers['x-service-delivery-type'] === 'sync' ? ' sync' : ''

  return `delivery ${id}${isRepeated ? ' (again)' : ''} webhook ${webhook}${type} signature ${signature}
  ${body.toString('utf8')}`
}
