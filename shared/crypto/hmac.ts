const encoder = new TextEncoder()

/** Imports a text secret as an HMAC key, for callers that use the key several times. */
export function hmacKey(secret: string): Promise<CryptoKey> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', encoder.encode(secret), hmac, false, ['sign'])
}

/** HMAC-SHA256 of a text. A secret is used as text, not decoded from hex. */
export async function hmacSha256(secret: string | CryptoKey, text: string): Promise<Uint8Array> {
  const key = typeof secret === 'string' ? await hmacKey(secret) : secret
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
}
