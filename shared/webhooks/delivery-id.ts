import type { Instant } from '../argentine-time.ts'
import { toHex } from '../crypto/hex.ts'
import type { RandomBytes } from '../crypto/random.ts'

/** The delivery id that receivers deduplicate by: a UUID v7 (RFC 9562), ordered by its instant. */
export function deliveryId({ now, random }: { now: Instant; random: RandomBytes }): string {
  const bytes = Uint8Array.from([...new Uint8Array(6), ...random(10)])
  new DataView(bytes.buffer).setUint16(0, Math.floor(now / 2 ** 32))
  new DataView(bytes.buffer).setUint32(2, now % 2 ** 32)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80

  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The same as an SQL expression, a new one for each row of an `INSERT … SELECT`. */
export function deliveryIdSql(now: string): string {
  return `(substr(printf('%012x', ${now}), 1, 8) || '-' || substr(printf('%012x', ${now}), 9) ||
    '-7' || substr(lower(hex(randomblob(2))), 2) ||
    '-' || substr('89ab', 1 + (random() & 3), 1) || substr(lower(hex(randomblob(2))), 2) ||
    '-' || lower(hex(randomblob(6))))`
}

/** When a delivery id was made, to the millisecond; null for what is no UUID v7 in lower case. */
export function madeAt(id: string): Instant | null {
  const isOurs = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)
  return isOurs ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null
}
