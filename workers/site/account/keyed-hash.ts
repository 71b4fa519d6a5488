const encoder = new TextEncoder()

/** HMAC-SHA256 of `purpose` and text, in base64url. A hash is valid only for its purpose. */
export async function keyedHash(secret: string, purpose: string, text: string): Promise<string> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), hmac, false, ['sign'])
  const mac = await crypto.subtle.sign('HMAC', key, encoder.encode(`${purpose}:${text}`))

  return btoa(String.fromCharCode(...new Uint8Array(mac)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
