/**
 * Encrypts fields before they are stored: AES-256-GCM with a fresh nonce each. The address of a field
 * is authenticated data, so a ciphertext moved to another row or column does not open. The form is
 * `v1.<kid>.<nonce>.<ciphertext>`, the bytes in base64url.
 */
import { fromBase64, toBase64url } from '../base64.ts'
import type { Keyring } from './keyring.ts'
import { ok, refuse, type Result } from '../result.ts'

/** Where a sealed field is stored. */
export interface FieldAddress {
  table: string
  column: string
  /** The row's key. */
  id: string
}

/** `unknown_key`: its secret is not configured. `damaged`: not as it was sealed, or moved. */
export type UnsealRefusal = 'unknown_key' | 'damaged'

const VERSION = 'v1'
const NONCE_BYTES = 12

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export async function seal(keyring: Keyring, address: FieldAddress, text: string): Promise<string> {
  const key = await keyring.key(keyring.current)!
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const sealed = await crypto.subtle.encrypt(aesGcm(nonce, address), key, encoder.encode(text))

  return [VERSION, keyring.current, toBase64url(nonce), toBase64url(new Uint8Array(sealed))].join(
    '.',
  )
}

export async function unseal(
  keyring: Keyring,
  address: FieldAddress,
  sealed: string,
): Promise<Result<string, UnsealRefusal>> {
  const [version, kid = '', ...parts] = sealed.split('.')
  const [nonce, ciphertext] = parts.map(fromBase64)
  if (version !== VERSION || nonce?.length !== NONCE_BYTES || !ciphertext) return refuse('damaged')

  const key = await keyring.key(kid)
  if (!key) return refuse('unknown_key')

  try {
    const text = await crypto.subtle.decrypt(aesGcm(nonce, address), key, ciphertext)
    return ok(decoder.decode(text))
  } catch {
    return refuse('damaged')
  }
}

/** Whether a field is sealed with the secret that seals now. */
export function isSealedWithCurrent(keyring: Keyring, sealed: string): boolean {
  return sealed.startsWith(`${VERSION}.${keyring.current}.`)
}

function aesGcm(nonce: Uint8Array<ArrayBuffer>, { table, column, id }: FieldAddress) {
  return {
    name: 'AES-GCM',
    iv: nonce,
    additionalData: encoder.encode(`${table}|${column}|${id}`),
  }
}
