import { toBase64url } from '../../../shared/crypto/base64.ts'
import { hmacSha256 } from '../../../shared/crypto/hmac.ts'

/** HMAC-SHA256 of `purpose` and text, in base64url. A hash is valid only for its purpose. */
export async function keyedHash(secret: string, purpose: string, text: string): Promise<string> {
  return toBase64url(await hmacSha256(secret, `${purpose}:${text}`))
}
