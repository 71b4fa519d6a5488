/** Identifies the client of a request, for the limits by address. */
import { setting, type Variables } from '../config/config.ts'
import { addressBytes } from '../ip-address.ts'

export type ClientAddressEnv = Pick<Variables, 'CLIENT_ADDRESS_HEADER'>

/** `::ffff:0:0/96`: IPv4 addresses written as IPv6. */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

/** An address with a port, as Azure's gateway writes it. IPv6 addresses then have brackets. */
const WITH_PORT = /^(?:([\d.]+)|\[(.*)\])(?::\d{1,5})?$/

/** Bytes of a /64. */
const SUBSCRIBER = 8

/**
 * The client: its IPv4 address, or the /64 of its IPv6 address, because one subscriber has a whole
 * /64. Every spelling of an address gives the same text; an IPv4 address written as IPv6
 * (`::ffff:192.0.2.1`) counts as IPv4. All requests without a usable address count as one client.
 */
export function clientOf(headers: Headers, env: ClientAddressEnv): string {
  const bytes = addressBytes(clientAddress(headers, env))
  if (!bytes) return 'unknown'
  if (bytes.length === 4) return bytes.join('.')
  if (MAPPED.every((byte, index) => bytes[index] === byte)) return bytes.subarray(12).join('.')

  const groups = Array.from({ length: SUBSCRIBER / 2 }, (_, index) =>
    (bytes[2 * index]! * 256 + bytes[2 * index + 1]!).toString(16),
  )
  return `${groups.join(':')}::/${SUBSCRIBER * 8}`
}

/**
 * The client's address, from the header that the proxy in front of us sets: clients can forge every
 * other header. In a list (`X-Forwarded-For`), the last entry is the address that the proxy added.
 */
function clientAddress(headers: Headers, env: ClientAddressEnv): string {
  const text = headers.get(setting(env, 'CLIENT_ADDRESS_HEADER')) ?? ''
  const last = text.split(',').at(-1)!.trim()
  const [, ipv4, ipv6] = WITH_PORT.exec(last) ?? []
  return ipv4 ?? ipv6 ?? last
}

/**
 * The /48 around a client's /64; null for any other client. The holder of a /48 can be 65,536
 * clients, so limits that protect all clients need a second count by /48. IPv4 has no wider block
 * that belongs to one holder.
 */
export function widerClient(client: string): string | null {
  return client.endsWith('::/64') ? `${client.split(':', 3).join(':')}::/48` : null
}
