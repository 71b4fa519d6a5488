import { ConfigError } from './config-error.ts'

/** The 16 bytes before the key's own 32 are always the same (RFC 8410). */
const PKCS8 = /^MC4CAQAwBQYDK2VwBCIEI[A-P][A-Za-z0-9+/]{42}$/

/**
 * The private key that signs the record: Ed25519 as PKCS #8 in base64, as OpenSSL prints it. Undefined
 * where it is absent or empty: then manifests are not signed.
 */
export function parseRecordKey(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (!PKCS8.test(text))
    throw new ConfigError('RECORD_SIGNING_KEY must be an Ed25519 private key, PKCS #8 in base64')
  return text
}
