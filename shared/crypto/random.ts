import { toHex } from '../encoding.ts'

/** Random bytes: `(length) => crypto.getRandomValues(new Uint8Array(length))` outside tests. */
export type RandomBytes = (length: number) => Uint8Array

/** A random UUID (RFC 9562, version 4), lower case. */
export function randomUuid(random: RandomBytes): string {
  const bytes = Uint8Array.from(random(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80

  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The pattern of an id in Hono's routes: our ids are lower-case UUIDs. */
export const UUID_PATTERN = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

export const UUID = new RegExp(`^${UUID_PATTERN}$`)

export function isUuid(text: string): boolean {
  return UUID.test(text)
}
