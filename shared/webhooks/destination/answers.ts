import { ok, refuse, type Result } from '../../result.ts'
import { addressBytes, isIpv4, isIpv6 } from '../../ip-address.ts'
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

interface AnswerRule {
  name: string
  refusal: AnswerRefusal
  refuses(a: DnsAnswer, aaaa: DnsAnswer): boolean
}

const addressesOf = (a: DnsAnswer, aaaa: DnsAnswer) => [...a.addresses, ...aaaa.addresses]

/** Most addresses of a name; those of the largest services have some twenty. */
const MAX_ADDRESSES = 64

/**
 * In the order in which they are asked. One bad address refuses all: a mixed set has no honest use,
 * and is how a name is bound again to an inner address between the check and the connection.
 */
const ANSWER_RULES: readonly AnswerRule[] = [
  {
    name: 'rcode',
    refusal: 'network',
    refuses: (a, aaaa) => a.rcode !== 'NOERROR' || aaaa.rcode !== 'NOERROR',
  },
  {
    // Every address costs time, so a long answer is an attack.
    name: 'too-many',
    refusal: 'destination',
    refuses: (a, aaaa) => a.addresses.length + aaaa.addresses.length > MAX_ADDRESSES,
  },
  {
    name: 'unparseable',
    refusal: 'destination',
    refuses: (a, aaaa) => !a.addresses.every(isIpv4) || !aaaa.addresses.every(isIpv6),
  },
  {
    name: 'not-global',
    refusal: 'destination',
    refuses: (a, aaaa) =>
      addressesOf(a, aaaa).some((text) => addressBytes(text) !== null && !isGlobalAddress(text)),
  },
  {
    name: 'no-address',
    refusal: 'network',
    refuses: (a, aaaa) => addressesOf(a, aaaa).length === 0,
  },
]

/** The addresses to connect to, or why the first rule that refuses the answers does so. */
export function checkAnswers(a: DnsAnswer, aaaa: DnsAnswer): Result<string[], AnswerRefusal> {
  const refused = ANSWER_RULES.find((rule) => rule.refuses(a, aaaa))
  return refused ? refuse(refused.refusal) : ok(addressesOf(a, aaaa))
}
