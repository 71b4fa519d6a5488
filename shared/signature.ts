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

/** `Uint8Array.toHex` is in workerd, but not yet in the Node that runs our tools. */
function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
