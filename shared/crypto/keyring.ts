import { setting } from '../config/config.ts'

/** The configured key-encryption secrets, by their ids. Keys are derived once per isolate. */
export interface Keyring {
  /** The id of the secret that seals. */
  current: string
  /** The derived key of an id; undefined when that secret is not configured. */
  key(kid: string): Promise<CryptoKey> | undefined
}

/** Binds the derived keys to their use: the same secret derives others for other uses. */
const PURPOSE = 'cotizaciones sealed-box v1'

const opened = new Map<string, Keyring>()

/**
 * The keyring of `KEY_ENCRYPTION_KEYS` (`kid:base64,…`, the first is current). Throws a
 * `ConfigError`, without any of the text, when it is malformed: nothing can be sealed then.
 */
export function openKeyring(configured: string | undefined): Keyring {
  const known = configured === undefined ? undefined : opened.get(configured)
  if (known) return known

  const keyring = readKeyring(configured)
  opened.set(configured!, keyring)
  return keyring
}

function readKeyring(configured: string | undefined): Keyring {
  const secrets = setting({ KEY_ENCRYPTION_KEYS: configured }, 'KEY_ENCRYPTION_KEYS')
  const keys = new Map<string, Promise<CryptoKey>>()
  const [current] = secrets.keys()

  return {
    current: current!,
    key(kid) {
      const secret = secrets.get(kid)
      if (secret && !keys.has(kid)) keys.set(kid, derive(secret))
      return keys.get(kid)
    },
  }
}

/** HKDF-SHA-256 without salt: the secrets are random already. */
async function derive(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const info = new TextEncoder().encode(PURPOSE)
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info }

  return crypto.subtle.deriveKey(hkdf, base, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ])
}
