/**
 * Encrypts fields before they are stored: AES-256-GCM with a fresh nonce each time. The location of
 * a field is authenticated data, so a ciphertext moved to another row or column does not decrypt.
 * The format is `v1.<kid>.<nonce>.<ciphertext>`, with nonce and ciphertext in base64url.
 */
import { fromBase64, toBase64url } from '../encoding.ts'
import { type Result, ok, refuse } from '../result.ts'
import { setting } from '../config/config.ts'

/** Where a sealed field is stored. */
export interface FieldLocation {
  table: string
  column: string
  /** The row's key. */
  id: string
}

/** `unknown_key`: the field's secret is not configured. `damaged`: the text changed or moved. */
export type UnsealRefusal = 'unknown_key' | 'damaged'

const VERSION = 'v1'
const NONCE_BYTES = 12

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export async function seal(
  keyring: Keyring,
  location: FieldLocation,
  text: string,
): Promise<string> {
  const key = await keyring.keys.get(keyring.current)!
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const sealed = await crypto.subtle.encrypt(aesGcm(nonce, location), key, encoder.encode(text))

  return [VERSION, keyring.current, toBase64url(nonce), toBase64url(new Uint8Array(sealed))].join(
    '.',
  )
}

export async function unseal(
  keyring: Keyring,
  location: FieldLocation,
  sealed: string,
): Promise<Result<string, UnsealRefusal>> {
  const [version, kid = '', ...parts] = sealed.split('.')
  const [nonce, ciphertext] = parts.map(fromBase64)
  if (version !== VERSION || nonce?.length !== NONCE_BYTES || !ciphertext) return refuse('damaged')

  const key = await keyring.keys.get(kid)
  if (!key) return refuse('unknown_key')

  try {
    const text = await crypto.subtle.decrypt(aesGcm(nonce, location), key, ciphertext)
    return ok(decoder.decode(text))
  } catch {
    return refuse('damaged')
  }
}

/** Whether a field is sealed with the current secret. */
export function isSealedWithCurrent(keyring: Keyring, sealed: string): boolean {
  return sealed.startsWith(`${VERSION}.${keyring.current}.`)
}

function aesGcm(nonce: Uint8Array<ArrayBuffer>, { table, column, id }: FieldLocation) {
  return {
    name: 'AES-GCM',
    iv: nonce,
    additionalData: encoder.encode(`${table}|${column}|${id}`),
  }
}

/** The configured key-encryption secrets. Keys are derived once per isolate. */
export interface Keyring {
  /** The id of the secret that seals new fields. */
  current: string
  /** The derived keys, by the ids of their secrets. */
  keys: ReadonlyMap<string, Promise<CryptoKey>>
}

/** Binds the derived keys to this use: for another use, the same secret gives other keys. */
const PURPOSE = 'cotizaciones sealed-box v1'

const opened = new Map<string | undefined, Keyring>()

/**
 * The keyring of `KEY_ENCRYPTION_KEYS` (`kid:base64,…`, the first is current). Throws a
 * `ConfigError` when the text is malformed. The error contains no part of the text.
 */
export function openKeyring(configured: string | undefined): Keyring {
  let keyring = opened.get(configured)
  if (!keyring) opened.set(configured, (keyring = readKeyring(configured)))
  return keyring
}

function readKeyring(configured: string | undefined): Keyring {
  const secrets = setting({ KEY_ENCRYPTION_KEYS: configured }, 'KEY_ENCRYPTION_KEYS')
  const [current] = secrets.keys()
  const keys = new Map(Array.from(secrets, ([kid, secret]) => [kid, derive(secret)]))
  return { current: current!, keys }
}

/** Derives a key by HKDF-SHA-256, without salt because the secrets are random. */
async function derive(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const info = encoder.encode(PURPOSE)
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info }

  return crypto.subtle.deriveKey(hkdf, base, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ])
}
