/**
 * A delivery may go only to IP addresses that the whole internet can reach. The check uses bytes
 * and not text, so that no spelling hides an address. For IPv6 it is an allow-list (2000::/3
 * without its special blocks), which also refuses unassigned blocks.
 */

import { addressBytes, isIpv4, isIpv6 } from '../../ip-address.ts'
import { type Result, ok, refuse } from '../../result.ts'

type Block = readonly [address: string, bits: number]

/** IANA's special-purpose blocks, and public addresses that answer with a cloud's metadata. */
const REFUSED_IPV4: readonly Block[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by carriers; Alibaba's metadata
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // Azure's WireServer
  ['169.254.0.0', 16], // link-local; most clouds' metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // IETF protocols; Oracle's metadata
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112: reachable, but never a receiver
  ['192.52.193.0', 24], // AMT: likewise
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
]

const GLOBAL_IPV6: Block = ['2000::', 3]

/** The special blocks inside 2000::/3. */
const REFUSED_IPV6: readonly Block[] = [
  ['2001::', 23], // Teredo, ORCHID, benchmarks and other IETF protocols
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
]

/** Whether a text is an IP address that the whole internet can reach. */
export function isGlobalAddress(text: string): boolean {
  const bytes = addressBytes(text)
  if (!bytes) return false
  if (bytes.length === 4) return !REFUSED_IPV4.some((block) => isWithin(bytes, block))

  return isWithin(bytes, GLOBAL_IPV6) && !REFUSED_IPV6.some((block) => isWithin(bytes, block))
}

function isWithin(bytes: Uint8Array, [address, bits]: Block): boolean {
  const start = addressBytes(address)!
  return start.every((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8))
    const mask = (0xff << (8 - kept)) & 0xff
    return (bytes[index]! & mask) === (byte & mask)
  })
}

/** The resolver's answer to one query. */
export interface DnsAnswer {
  /** `NOERROR`, or why there is no answer: `NXDOMAIN`, `SERVFAIL`, `REFUSED`, `TIMEOUT`… */
  rcode: string
  /** The addresses as text, without the names of CNAME records. */
  addresses: readonly string[]
}

/** `network`: no usable answer. `destination`: an answer that must not be connected to. */
export type AnswerRefusal = 'network' | 'destination'

/** The maximum of addresses of a name. Names of the largest services have about twenty. */
const MAX_ADDRESSES = 64

/**
 * The addresses to connect to, or the refusal. One forbidden address refuses all: no honest name
 * mixes public and private addresses, but attackers do, to switch to a private address between the
 * check and the connection (DNS rebinding).
 */
export function checkAnswers(a: DnsAnswer, aaaa: DnsAnswer): Result<string[], AnswerRefusal> {
  if (a.rcode !== 'NOERROR' || aaaa.rcode !== 'NOERROR') return refuse('network')
  const addresses = [...a.addresses, ...aaaa.addresses]
  if (addresses.length === 0) return refuse('network')
  // A longer list counts as an attack, because every address costs time.
  const isSound =
    addresses.length <= MAX_ADDRESSES &&
    a.addresses.every(isIpv4) &&
    aaaa.addresses.every(isIpv6) &&
    addresses.every(isGlobalAddress)
  return isSound ? ok(addresses) : refuse('destination')
}
