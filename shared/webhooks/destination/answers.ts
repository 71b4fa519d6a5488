import { ok, refuse, type Result } from '../../result.ts'
import { isIpv4, isIpv6 } from '../../ip-address.ts'
import { isGlobalAddress } from './address.ts'

/** The resolver's answer to one question. */
export interface DnsAnswer {
  /** `NOERROR`, or why there is no answer: `NXDOMAIN`, `SERVFAIL`, `REFUSED`, `TIMEOUT`… */
  rcode: string
  /** The addresses as text; names on the way (CNAME) are left out: only addresses matter. */
  addresses: readonly string[]
}

/** `network`: no usable answer. `destination`: an answer that must not be connected to. */
export type AnswerRefusal = 'network' | 'destination'

/** Most addresses of a name; those of the largest services have some twenty. */
const MAX_ADDRESSES = 64

/**
 * The addresses to connect to, or why not. One bad address refuses all: a mixed set has no honest
 * use, and is how a name is bound again to an inner address between the check and the connection.
 */
export function checkAnswers(a: DnsAnswer, aaaa: DnsAnswer): Result<string[], AnswerRefusal> {
  if (a.rcode !== 'NOERROR' || aaaa.rcode !== 'NOERROR') return refuse('network')
  const addresses = [...a.addresses, ...aaaa.addresses]
  if (addresses.length === 0) return refuse('network')
  // Every address costs time, so a long answer is an attack.
  const isSound =
    addresses.length <= MAX_ADDRESSES &&
    a.addresses.every(isIpv4) &&
    aaaa.addresses.every(isIpv6) &&
    addresses.every(isGlobalAddress)
  return isSound ? ok(addresses) : refuse('destination')
}
