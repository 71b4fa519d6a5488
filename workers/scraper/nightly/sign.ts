/** The key that signs the record, as the platform's Ed25519. */
import { fromBase64, toBase64url } from '../../../shared/crypto/base64.ts'
import { orAbsent } from '../../../shared/config/or-absent.ts'
import { parseRecordKey } from '../../../shared/config/record-key.ts'

export interface Signer {
  /** The thumbprint of the public key (RFC 7638), base64url. */
  id: string
  /** Its 32 bytes, base64url. */
  publicKey: string
  /** The signature of a text in UTF-8, base64. */
  sign(text: string): Promise<string>
}

/** Undefined without a key. An unusable key is logged and counts as absent. */
export async function openSigner(configured: string | undefined): Promise<Signer | undefined> {
  const text = orAbsent(() => parseRecordKey(configured))
  if (text === undefined) return undefined

  const { subtle } = crypto
  const key = await subtle.importKey('pkcs8', fromBase64(text)!, 'Ed25519', true, ['sign'])
  const { x: publicKey } = (await subtle.exportKey('jwk', key)) as JsonWebKey
  return {
    id: await thumbprint(publicKey!),
    publicKey: publicKey!,
    async sign(text) {
      const signature = await subtle.sign('Ed25519', key, new TextEncoder().encode(text))
      return btoa(String.fromCharCode(...new Uint8Array(signature)))
    },
  }
}

async function thumbprint(x: string): Promise<string> {
  const members = `{"crv":"Ed25519","kty":"OKP","x":"${x}"}`
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(members))
  return toBase64url(new Uint8Array(digest))
}
