import type { Instant } from '../argentine-time.ts'

/**
 * `automatic`: a change of value. `sync`: the current value, after an edit or a suspension.
 * `manual`: a test.
 */
export const DELIVERY_TYPES = ['automatic', 'manual', 'sync'] as const
export type DeliveryType = (typeof DELIVERY_TYPES)[number]

/** The first three are open deliveries. */
export const DELIVERY_STATUSES = [
  'pending',
  'sending',
  'failed',
  'delivered',
  'dead',
  'cancelled',
] as const

/** Why the last attempt failed, or why a delivery ended without an attempt. */
export const DELIVERY_ERRORS = [
  'http',
  'redirect',
  'timeout',
  'network',
  'destination',
  'interrupted',
  'configuration',
  'expired',
] as const

/** Each error in Spanish, for the owner. */
export const ERROR_WORDS = {
  http: 'el receptor no respondió 2xx',
  redirect: 'el receptor redirige, y no seguimos redirecciones',
  timeout: 'no respondió en 10 segundos',
  network: 'no se pudo conectar',
  destination: 'el destino no es una dirección pública permitida',
  interrupted: 'el intento se interrumpió de nuestro lado',
  configuration: 'no pudimos leer la configuración del webhook',
  expired: 'venció antes de enviarse',
} as const satisfies Record<(typeof DELIVERY_ERRORS)[number], string>

/** The queue message: a hint that a delivery row may be due. The row in D1 decides. */
export interface DeliveryMessage {
  v: 1
  /** `deliveries.id`. */
  deliveryId: number
}

/** Requests a sweep now: the last sweep stopped at its limits, or a sync or an e-mail is due. */
export interface SweepMessage {
  v: 1
  sweep: true
}

export function isSweepMessage(body: unknown): body is SweepMessage {
  const { v, sweep } = (body ?? {}) as { v?: unknown; sweep?: unknown }
  return v === 1 && sweep === true
}

/**
 * SQL expression for a new delivery id in each row of an `INSERT … SELECT`: a UUID v7 (RFC 9562),
 * which sorts by its instant. Receivers use the id to detect repeated deliveries.
 */
export function deliveryIdSql(now: string): string {
  return `(substr(printf('%012x', ${now}), 1, 8) || '-' || substr(printf('%012x', ${now}), 9) ||
    '-7' || substr(lower(hex(randomblob(2))), 2) ||
    '-' || substr('89ab', 1 + (random() & 3), 1) || substr(lower(hex(randomblob(2))), 2) ||
    '-' || lower(hex(randomblob(6))))`
}

/** When a delivery id was made, to the millisecond; null if the text is no lower-case UUID v7. */
export function madeAt(id: string): Instant | null {
  const isOurs = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)
  return isOurs ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null
}
