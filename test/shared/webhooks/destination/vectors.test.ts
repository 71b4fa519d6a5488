/** Run in workerd and, by the file beside it, in Node: their URL parsers are not the same. */
import { describe, expect, it } from 'vitest'
import {
  checkDestination,
  isGlobalAddress,
  checkAnswers,
} from '../../../../shared/webhooks/destination/destination.ts'
import { addressBytes } from '../../../../shared/ip-address.ts'
import { ADDRESS_BLOCKS } from '../../../../shared/webhooks/destination/address.ts'
import { ANSWER_RULES } from '../../../../shared/webhooks/destination/answers.ts'
import { HOST_RULES } from '../../../../shared/webhooks/destination/host-rules.ts'
import { TEXT_RULES } from '../../../../shared/webhooks/destination/text-rules.ts'
import { type Dns, VECTORS } from '../../../support/destination-vectors.ts'

const statics = VECTORS.filter((vector) => !vector.dns)
const resolved = VECTORS.filter((vector) => vector.dns)
/** Refused for nothing but their answers. */
const refusedByAnswers = resolved.filter(
  ({ url, verdict }) => verdict === 'refused' && checkDestination(url, []).ok,
)

describe('the vectors', () => {
  it('are there', () => expect(VECTORS.length).toBeGreaterThan(400))

  it.each(statics)('$url is $verdict without a question to the DNS', ({ url, verdict }) => {
    expect(checkDestination(url, []).ok).toBe(verdict === 'allowed')
  })

  it.each(resolved)('$url is $verdict by its answers: $reason', ({ url, verdict, dns }) => {
    const isAllowed = checkDestination(url, []).ok && judge(dns!)
    expect(isAllowed).toBe(verdict === 'allowed')
  })

  it.each(resolved.filter(({ dnsSequence }) => dnsSequence))('$reason', ({ dnsSequence }) => {
    for (const dns of dnsSequence!) {
      const isPublic = [...dns.A, ...dns.AAAA].every((address) => address === '93.184.215.14')
      expect(judge(dns)).toBe(isPublic)
    }
  })
})

describe('each rule is needed: without it a vector changes its verdict', () => {
  const names = [...TEXT_RULES, ...HOST_RULES].map((rule) => rule.name)
  // The vectors hold none of these two: our own table does (test/shared/destination).
  const notInVectors = ['length', 'own-host']

  it.each(names.filter((name) => !notInVectors.includes(name)))('%s', (name) => {
    const rules = {
      text: TEXT_RULES.filter((rule) => rule.name !== name),
      host: HOST_RULES.filter((rule) => rule.name !== name),
    }
    const slips = statics.filter(
      ({ url, verdict }) => verdict === 'refused' && checkDestination(url, [], rules).ok,
    )
    expect(slips.length).toBeGreaterThan(0)
  })
})

describe('each rule on the answers is needed (P9, P10)', () => {
  // The vectors hold no answer that is no address, nor one so long: our own table does.
  const notInVectors = ['unparseable', 'too-many']

  it.each(ANSWER_RULES.map(({ name }) => name).filter((name) => !notInVectors.includes(name)))(
    '%s',
    (name) => {
      const rules = ANSWER_RULES.filter((rule) => rule.name !== name)
      const slips = refusedByAnswers.filter(({ dns }) => judge(dns!, rules))
      expect(slips.length).toBeGreaterThan(0)
    },
  )
})

describe('each block of addresses is needed', () => {
  const { refusedIpv4, globalIpv6, refusedIpv6 } = ADDRESS_BLOCKS
  const addresses = [...statics, ...resolved]
    .filter(({ verdict }) => verdict === 'refused')
    .flatMap(({ url, dns }) => [...literals(url), ...(dns ? [...dns.A, ...dns.AAAA] : [])])
  const slipsWith = (blocks: typeof ADDRESS_BLOCKS) =>
    addresses.filter((text) => !isGlobalAddress(text) && isGlobalAddress(text, blocks))

  it.each(refusedIpv4.filter(inVectors))('%s/%i', (...block) => {
    const kept = refusedIpv4.filter(([address]) => address !== block[0])
    expect(slipsWith({ ...ADDRESS_BLOCKS, refusedIpv4: kept }).length).toBeGreaterThan(0)
  })

  it.each(refusedIpv6.filter(inVectors))('%s/%i', (...block) => {
    const kept = refusedIpv6.filter(([address]) => address !== block[0])
    expect(slipsWith({ ...ADDRESS_BLOCKS, refusedIpv6: kept }).length).toBeGreaterThan(0)
  })

  it(`only ${globalIpv6.join('/')}`, () => {
    const slips = slipsWith({ ...ADDRESS_BLOCKS, globalIpv6: ['::', 0] })
    expect(slips.length).toBeGreaterThan(0)
  })
})

/** The vectors hold no address of these two blocks: our own table does. */
function inVectors([address]: readonly [string, number]): boolean {
  return !['192.175.48.0', '2620:4f:8000::'].includes(address)
}

/** The address that a URL's host is, if it is one. */
function literals(url: string): string[] {
  if (!URL.canParse(url)) return []
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  return addressBytes(host) ? [host] : []
}

function judge({ A, AAAA, rcode = 'NOERROR' }: Dns, rules = ANSWER_RULES): boolean {
  const codes = typeof rcode === 'string' ? { A: rcode, AAAA: rcode } : rcode
  const [a, aaaa] = [
    { rcode: codes.A, addresses: A },
    { rcode: codes.AAAA, addresses: AAAA },
  ]
  return checkAnswers(a, aaaa, rules).ok
}
