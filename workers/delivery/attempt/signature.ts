import { toHex } from '../../../shared/crypto/hex.ts'

const encoder = new TextEncoder()

/**
 * Signs a delivery the way receivers check it: HMAC-SHA256 over `timestamp.body`, `timestamp` in
 * Unix seconds. The secret is 64 hex characters used as text, not decoded to bytes.
 */
export async function sign(secret: string, timestamp: number, body: string): Promise<string> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), hmac, false, ['sign'])
  const mac = await crypto.subtle.sign('HMAC', key, encoder.encode(`${timestamp}.${body}`))

  return `sha256=${toHex(new Uint8Array(mac))}`
}
