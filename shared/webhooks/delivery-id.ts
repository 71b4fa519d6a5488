import type { Instant } from '../argentine-time.ts'

/**
 * The delivery id that receivers deduplicate by: a UUID v7 (RFC 9562), ordered by its instant. An SQL
 * expression, which makes a new one for each row of an `INSERT … SELECT`.
 */
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
