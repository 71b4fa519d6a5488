const encoder = new TextEncoder()

/** The HMAC key of a text secret, for use more than once. */
export function hmacKey(secret: string): Promise<CryptoKey> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', encoder.encode(secret), hmac, false, ['sign'])
}

/** HMAC-SHA256 of a text, keyed with a secret as text. */
export async function hmacSha256(secret: string | CryptoKey, text: string): Promise<Uint8Array> {
  const key = typeof secret === 'string' ? await hmacKey(secret) : secret
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
}
