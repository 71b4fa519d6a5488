import { toBase64 } from '../../../shared/crypto/base64.ts'
import { toHex } from '../../../shared/crypto/hex.ts'
import { hmacSha256 } from '../../../shared/crypto/hmac.ts'

/**
 * Signs a delivery the way receivers check it: HMAC-SHA256 over `timestamp.body`, `timestamp` in
 * Unix seconds. The secret is 64 hex characters used as text, not decoded to bytes.
 */
export async function sign(
  secret: string | CryptoKey,
  timestamp: number,
  body: string,
): Promise<string> {
  return `sha256=${toHex(await hmacSha256(secret, `${timestamp}.${body}`))}`
}

/**
 * Signs a delivery as Standard Webhooks 1.0.0 has it, with the same key: over `id.timestamp.body`,
 * so that the delivery id is authenticated too.
 */
export async function signStandard(
  secret: string | CryptoKey,
  { deliveryId, timestamp }: { deliveryId: string; timestamp: number },
  body: string,
): Promise<string> {
  return `v1,${toBase64(await hmacSha256(secret, `${deliveryId}.${timestamp}.${body}`))}`
}
