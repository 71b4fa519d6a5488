const encoder = new TextEncoder()

/** The key of a secret as text, for several HMACs. */
export function hmacKey(secret: string): Promise<CryptoKey> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', encoder.encode(secret), hmac, false, ['sign'])
}

/** HMAC-SHA256 of a text, keyed with a secret as text. */
export async function hmacSha256(secret: string | CryptoKey, text: string): Promise<Uint8Array> {
  const key = typeof secret === 'string' ? await hmacKey(secret) : secret
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
}
