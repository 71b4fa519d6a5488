/**
 * The destination vectors that lie beside the project, not in it. Read at run time; where they are
 * absent the tests say so and are skipped.
 */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkDestination, judgeAnswers } from '../../shared/destination.ts'
import { HOST_RULES } from '../../shared/destination/host-rules.ts'
import { TEXT_RULES } from '../../shared/destination/text-rules.ts'

const FILE = '../shared/vectors/destinations.json'
const isPresent = existsSync(FILE)

interface Dns {
  A: string[]
  AAAA: string[]
  rcode?: string | { A: string; AAAA: string }
}
interface Vector {
  url: string
  verdict: 'allowed' | 'refused'
  reason: string
  dns?: Dns
  dnsSequence?: Dns[]
}

const vectors: Vector[] = isPresent ? JSON.parse(readFileSync(FILE, 'utf8')) : []
const statics = vectors.filter((vector) => !vector.dns)
const resolved = vectors.filter((vector) => vector.dns)

if (!isPresent) console.warn('skipped: ../shared/vectors/destinations.json is not here')

describe.skipIf(!isPresent)('the vectors', () => {
  it('are there', () => expect(vectors.length).toBeGreaterThan(400))

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

describe.skipIf(!isPresent)('each rule is needed: without it a vector changes its verdict', () => {
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

function judge({ A, AAAA, rcode = 'NOERROR' }: Dns): boolean {
  const codes = typeof rcode === 'string' ? { A: rcode, AAAA: rcode } : rcode
  return judgeAnswers({ rcode: codes.A, addresses: A }, { rcode: codes.AAAA, addresses: AAAA }).ok
}
