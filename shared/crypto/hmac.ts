const encoder = new TextEncoder()
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/** HMAC-SHA256 of a text. The secret is used as text, not decoded from hex. */
export async function hmacSha256(secret: string, text: string): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), HMAC, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
}
