import { ok, refuse, type Result } from '../result.ts'
import { isGlobalAddress, isIpv4, isIpv6 } from './address.ts'

/** What the resolver said to one question. */
export interface Answer {
  /** `NOERROR`, or why there is no answer: `NXDOMAIN`, `SERVFAIL`, `REFUSED`, `TIMEOUT`… */
  rcode: string
  /** The addresses as text; names on the way (CNAME) are left out: only addresses matter. */
  addresses: readonly string[]
}

/** `network`: no usable answer. `destination`: an answer that must not be connected to. */
export type AnswerRefusal = 'network' | 'destination'

/**
 * The addresses to connect to, when both questions were answered, at least one address came and
 * every address is global. One bad address refuses all: a mixed set has no honest use, and is how
 * a name is bound again to an inner address between the check and the connection.
 */
export function judgeAnswers(a: Answer, aaaa: Answer): Result<string[], AnswerRefusal> {
  if (a.rcode !== 'NOERROR' || aaaa.rcode !== 'NOERROR') return refuse('network')

  const isGood =
    a.addresses.every((address) => isIpv4(address) && isGlobalAddress(address)) &&
    aaaa.addresses.every((address) => isIpv6(address) && isGlobalAddress(address))
  if (!isGood) return refuse('destination')

  const addresses = [...a.addresses, ...aaaa.addresses]
  return addresses.length > 0 ? ok(addresses) : refuse('network')
}
