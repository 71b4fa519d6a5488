const encoder = new TextEncoder()

/** HMAC-SHA256 of a text, keyed with a secret as text. */
export async function hmacSha256(secret: string, text: string): Promise<Uint8Array> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), hmac, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
}
