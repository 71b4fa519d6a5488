import { toHex } from './hex.ts'

/** SHA-256 in lower-case hex, of bytes or of a text in UTF-8. */
export async function sha256(contents: string | Uint8Array): Promise<string> {
  const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as BufferSource)))
}
