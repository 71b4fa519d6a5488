import { addressBytes } from '../ip-address.ts'

/** The key of all clients without a usable address: they share one limit. */
export const UNKNOWN_CLIENT = 'unknown'

/** `::ffff:0:0/96`: IPv4 addresses written as IPv6. */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

/** Bytes of a /64. */
const SUBSCRIBER = 8

/**
 * The key of a client for rate limits: its IPv4 address, or the /64 of its IPv6 address, because
 * one subscriber holds a whole /64. Every spelling of an address gives the same key, and an IPv4
 * address written as IPv6 (`::ffff:192.0.2.1`) is that IPv4 address.
 */
export function clientKey(address: string | null | undefined): string {
  const bytes = address ? addressBytes(address) : null
  if (!bytes) return UNKNOWN_CLIENT
  if (bytes.length === 4) return bytes.join('.')
  if (MAPPED.every((byte, index) => bytes[index] === byte)) return bytes.subarray(12).join('.')

  const groups = Array.from({ length: SUBSCRIBER / 2 }, (_, index) =>
    (bytes[2 * index]! * 256 + bytes[2 * index + 1]!).toString(16),
  )
  return `${groups.join(':')}::/${SUBSCRIBER * 8}`
}
