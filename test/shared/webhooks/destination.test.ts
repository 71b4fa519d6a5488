/** Run in workerd and, by the file beside it, in Node: their URL parsers are not the same. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isGlobalAddress } from '../../../shared/webhooks/destination/address.ts'
import { checkAnswers } from '../../../shared/webhooks/destination/answers.ts'
import {
  checkDestination,
  maskDestination,
  parseHosts,
} from '../../../shared/webhooks/destination/destination.ts'
import { isSoundPunycode } from '../../../shared/webhooks/destination/rules.ts'
import { type Dns, VECTORS } from '../../support/destination-vectors.ts'

const OWN_HOSTS = ['cotizaciones.example', 'api.cotizaciones.example', '2606:4700:4700::1001']

const REFUSED: readonly [url: string, rule: string][] = [
  ['', 'length'],
  [`https://example.com/${'a/../'.repeat(500)}`, 'length'],
  ['https://example.com/a b', 'control'],
  ['https://example.com/\u007f', 'control'],
  ['https://example.com/a\\b', 'backslash'],
  ['http://example.com/', 'scheme'],
  ['https:example.com', 'scheme'],
  ['//example.com/', 'scheme'],
  ['https://@example.com/', 'userinfo'],
  ['https://user:password@example.com/', 'userinfo'],
  ['https://example.com/#', 'fragment'],
  ['https://%65xample.com/', 'encoded-host'],
  ['https://exa<mple.com/', 'unparseable'],
  ['https://1.2.3.256/', 'unparseable'],
  [`https://example.com/${'ñ'.repeat(1000)}`, 'normalised-length'],
  ['https://example.com:8443/', 'port'],
  ['https://127.1/', 'address'],
  ['https://0xa9fea9fe/', 'address'],
  ['https://example..com/', 'host-form'],
  [`https://${'a'.repeat(64)}.com/`, 'host-form'],
  [`https://${'a.'.repeat(126)}com/`, 'host-form'],
  ['https://127.0.0.1../', 'host-form'],
  // Punycode that does not decode, that is none, and that the parser would write otherwise.
  ['https://xn--a.com/', 'host-form'],
  ['https://hooks.XN--A.com/', 'host-form'],
  ['https://xn--99999999.com/', 'host-form'],
  ['https://xn--example-.com/', 'host-form'],
  ['https://xn--xn--a.com/', 'host-form'],
  ['https://xn---c2q.com/', 'host-form'],
  ['https://xn--MNCHEN-3YA-.de/', 'host-form'],
  ['https://example.com./', 'trailing-dot'],
  ['https://router/', 'single-label'],
  ['https://loc\u00adalho\u017ft/', 'single-label'],
  ['https://printer.local/', 'special-use'],
  ['https://METADATA.google.Internal/', 'special-use'],
  ['https://nas.home.arpa/', 'special-use'],
  ['https://metadata.packet.net/', 'metadata-host'],
  ['https://cotizaciones.example/api/usd', 'own-host'],
  ['https://API.Cotizaciones.Example/', 'own-host'],
  ['https://[2606:4700:4700:0::1001]/', 'own-host'],
]

const ALLOWED: readonly [url: string, normalised: string][] = [
  ['https://example.com', 'https://example.com/'],
  ['HTTPS://EXAMPLE.com:0443/@x?q=%23', 'https://example.com/@x?q=%23'],
  ['https://ñandú.example.com.ar/aviso', 'https://xn--and-6ma2c.example.com.ar/aviso'],
  ['https://XN--MNCHEN-3YA.de/', 'https://xn--mnchen-3ya.de/'],
  ['https://faß.de/', 'https://xn--fa-hia.de/'],
  ['https://xn--80ak6aa92e.xn--p1ai/', 'https://xn--80ak6aa92e.xn--p1ai/'],
  ['https://xn--ls8h.la/', 'https://xn--ls8h.la/'],
  ['https://xn--eckwd4c7cu47r2wf.jp/', 'https://xn--eckwd4c7cu47r2wf.jp/'],
  ['https://ab--cd.com/', 'https://ab--cd.com/'],
  ['https://_dmarc.example.com/', 'https://_dmarc.example.com/'],
  ['https://0127.0.0.1/', 'https://87.0.0.1/'],
  ['https://[2606:4700:4700:0:0::1111]/', 'https://[2606:4700:4700::1111]/'],
  ['https://otras-cotizaciones.example/', 'https://otras-cotizaciones.example/'],
]

describe('a destination', () => {
  it.each(REFUSED)('%s is refused: %s', (url, rule) => {
    const refusal = { rule, reason: expect.stringMatching(/^(La URL|El host|La dirección) /) }
    expect(checkDestination(url, OWN_HOSTS)).toMatchObject({ ok: false, refusal })
  })

  it.each(ALLOWED)('%s is allowed as %s, and again as that', (url, normalised) => {
    for (const text of [url, normalised]) {
      const value = { url: normalised }
      expect(checkDestination(text, OWN_HOSTS)).toMatchObject({ ok: true, value })
    }
  })

  it('has the verdict of its vector', () => {
    for (const { url, verdict, dns, dnsSequence } of VECTORS) {
      const isAllowed = checkDestination(url, []).ok && (!dns || judge(dns))
      expect([url, isAllowed]).toEqual([url, verdict === 'allowed'])
      for (const one of dnsSequence ?? []) {
        const isPublic = [...one.A, ...one.AAAA].every((address) => address === '93.184.215.14')
        expect([url, judge(one)]).toEqual([url, isPublic])
      }
    }
    expect(VECTORS.length).toBeGreaterThan(400)
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
