/** The platform's Web Crypto. Node 18 has it only in a module. */
export async function webCrypto(): Promise<Crypto> {
  const { crypto } = globalThis as { crypto?: Crypto }
  if (crypto) return crypto

  // A variable, because bundlers for browsers would resolve a literal.
  const name = 'node:crypto'
  return (
    (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as { webcrypto: Crypto }
  ).webcrypto
}

/** A random UUID (version 4). Pages without https have no `crypto.randomUUID`. */
export async function newUuid(): Promise<string> {
  const bytes = (await webCrypto()).getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
