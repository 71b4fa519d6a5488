/** Runs in workerd and, through the file beside this, in Node: their URL parsers differ. */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { isGlobalAddress, checkAnswers } from '../../../shared/webhooks/destination/address.ts'
import {
  checkDestination,
  isSoundPunycode,
  maskDestination,
  parseHosts,
} from '../../../shared/webhooks/destination/destination.ts'
import { type Dns, VECTORS } from '../../support/destination-vectors.ts'

it('each test vector’s destination is accepted or refused by its rule, and again in its stored form', () => {
  for (const { url, verdict, rule, normalised, dns, dnsSequence } of VECTORS) {
    const checked = checkDestination(url, [])
    const refusal = { rule, reason: expect.stringMatching(/^(La URL|El host|La dirección) /) }
    if (rule) expect([url, checked]).toEqual([url, { ok: false, refusal }])
    else expect([url, checked.ok && (!dns || judge(dns))]).toEqual([url, verdict === 'allowed'])
    for (const text of normalised ? [url, normalised] : [])
      expect(checkDestination(text, [])).toMatchObject({ value: { url: normalised } })
    for (const one of dnsSequence ?? []) {
      const isPublic = [...one.A, ...one.AAAA].every((address) => address === '93.184.215.14')
      expect([url, judge(one)]).toEqual([url, isPublic])
    }
  }
  expect(VECTORS.length).toBeGreaterThan(500)
})

it('our own hosts are refused, in any spelling', () => {
  const own = ['cotizaciones.example', '2606:4700:4700::1001']
  for (const host of ['Cotizaciones.Example', '[2606:4700:4700:0::1001]'])
    expect(checkDestination(`https://${host}/api`, own)).toMatchObject({
      refusal: { rule: 'own-host' },
    })
})

it('punycode that the URL parser writes itself is sound', () => {
  const hosts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).map((label) => {
    const host = URL.parse(`https://${label}.example.com/`)?.hostname ?? ''
    return host.endsWith('.example.com') ? host : 'example.com'
  })
  fc.assert(fc.property(hosts, isSoundPunycode), { numRuns: 2000 })
})

it.each([
  ['https://example.com/?', 'https://example.com'],
  ['https://example.com/hook', 'https://example.com/***'],
  ['https://example.com/?token=1', 'https://example.com/***'],
  ['https://[2606:4700::1111]/x', 'https://[2606:4700::1111]/***'],
])('%s is shown as %s', (url, masked) => {
  expect(maskDestination(url)).toBe(masked)
})

it.each([
  ['', []],
  [' https://Example.com , https://api.example.com:443,', ['example.com', 'api.example.com']],
  ['https://ñandú.ar,https://[2606:4700:0::1]', ['xn--and-6ma2c.ar', '2606:4700::1']],
])('the hosts of "%s" are %j', (list, hosts) => {
  expect(parseHosts(list)).toEqual(hosts)
})

const GLOBAL =
  '1.1.1.1 9.255.255.255 172.32.0.0 168.63.129.15 223.255.255.255 2000:: 2001:200:: 2606:4700::1111 3ffe:ffff::1 2A00::8.8.8.8'
const NOT_GLOBAL =
  '0.0.0.0 10.1.2.3 100.127.255.255 127.0.0.1 168.63.129.16 192.0.0.192 192.175.48.1 :: ::1 ::ffff:8.8.8.8 64:ff9b::808:808 2001:1ff::1 2002:808:808::1 2620:4f:8000::1 3fff::1 4000:: 5f00::1 fc00::1 fe80::1 fec0::1 ff02::1 100::1'
const NO_ADDRESS =
  '1.1.1 1.1.1.1.1 01.1.1.1 1.1.1.256 0x1.1.1.1 1.1.1.-1 2606::1::2 2606:4700 2606::12345 2606::g 2606::1%eth0 [2606::1] ::: 2606:1:2:3:4:5:6:7:8 2606:1:2:3:4:5:6::7 :2606::1 2606::1: 2606::1.1.1 2606:1.1.1.1:: 1.1.1.1:: 2606:1:2:3:4:5:6:1.1.1.1'

it.each([
  [true, GLOBAL],
  [false, NOT_GLOBAL],
  [false, NO_ADDRESS],
])('that an address is global is %s of %s', (isGlobal, addresses) => {
  for (const address of addresses.split(' '))
    expect([address, isGlobalAddress(address)]).toEqual([address, isGlobal])
  expect([isGlobalAddress(''), isGlobalAddress('1.1.1.1 ')]).toEqual([false, false])
})

const answer = (...addresses: string[]) => ({ rcode: 'NOERROR', addresses })
const failure = (rcode: string) => ({ rcode, addresses: [] })

it.each([
  ['destination', 'one private address', answer('1.1.1.1', '10.0.0.1'), answer()],
  ['destination', 'one of the other family', answer('1.1.1.1'), answer('::1')],
  ['destination', 'one that does not parse', answer('1.1.1.1', '1.1.1'), answer()],
  ['destination', 'one of the wrong family', answer('2606:4700::1111'), answer()],
  ['network', 'no address', answer(), answer()],
  ['network', 'no such name', failure('NXDOMAIN'), failure('NXDOMAIN')],
  ['network', 'a family that failed', answer('1.1.1.1'), failure('SERVFAIL')],
])('answers of the DNS are refused as %s: %s', (refusal, _, a, aaaa) => {
  expect(checkAnswers(a, aaaa)).toEqual({ ok: false, refusal })
})

it('answers of the DNS give every address when all are global and no more than 64', () => {
  const value = ['1.1.1.1', '8.8.8.8', '2606:4700::1111']
  expect(checkAnswers(answer(...value.slice(0, 2)), answer(value[2]!))).toEqual({ ok: true, value })
  expect(checkAnswers(answer(...Array<string>(65).fill('1.1.1.1')), answer()).ok).toBe(false)
})

function judge({ A, AAAA, rcode = 'NOERROR' }: Dns): boolean {
  const codes = typeof rcode === 'string' ? { A: rcode, AAAA: rcode } : rcode
  return checkAnswers({ rcode: codes.A, addresses: A }, { rcode: codes.AAAA, addresses: AAAA }).ok
}
