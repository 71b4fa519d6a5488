import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkDestination,
  maskDestination,
  parseHosts,
} from '../../../../shared/webhooks/destination/destination.ts'
import { HOST_RULES } from '../../../../shared/webhooks/destination/host-rules.ts'
import { isSoundPunycode } from '../../../../shared/webhooks/destination/host-rules.ts'
import { TEXT_RULES } from '../../../../shared/webhooks/destination/text-rules.ts'
import { ALLOWED, OWN_HOSTS, REFUSED } from './table.ts'

describe('a destination', () => {
  it.each(REFUSED)('%s is refused: %s', (url, rule) => {
    expect(checkDestination(url, OWN_HOSTS)).toMatchObject({ ok: false, refusal: { rule } })
  })

  it.each(ALLOWED)('%s is allowed as %s', (url, normalised) => {
    expect(checkDestination(url, OWN_HOSTS)).toMatchObject({ ok: true, value: { url: normalised } })
  })

  it.each(ALLOWED)('%s is allowed again in its normalised form', (_, normalised) => {
    expect(checkDestination(normalised, OWN_HOSTS)).toMatchObject({ value: { url: normalised } })
  })

  it('is refused with a Spanish sentence that names no rule', () => {
    for (const [url, rule] of REFUSED) {
      const checked = checkDestination(url, OWN_HOSTS)
      const reason = checked.ok ? '' : checked.refusal.reason
      expect(reason).toMatch(/^(La URL|El host|La dirección) /)
      expect(reason).not.toMatch(rule === 'port' ? /P\d/ : /P\d|puerto/)
    }
  })
})

it('punycode that the URL parser writes itself is sound', () => {
  const hosts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).map((label) => {
    const host = URL.parse(`https://${label}.example.com/`)?.hostname ?? ''
    return host.endsWith('.example.com') ? host : 'example.com'
  })
  fc.assert(fc.property(hosts, isSoundPunycode), { numRuns: 2000 })
})

describe('each rule is needed', () => {
  const names = [...TEXT_RULES, ...HOST_RULES].map((rule) => rule.name)

  it.each(names)('without %s something that must be refused is allowed', (name) => {
    const rules = {
      text: TEXT_RULES.filter((rule) => rule.name !== name),
      host: HOST_RULES.filter((rule) => rule.name !== name),
    }
    const slips = REFUSED.filter(([url]) => checkDestination(url, OWN_HOSTS, rules).ok)
    expect(slips.length).toBeGreaterThan(0)
  })
})

it.each([
  ['https://example.com/', 'https://example.com'],
  ['https://example.com/?', 'https://example.com'],
  ['https://example.com/hook', 'https://example.com/***'],
  ['https://example.com/?token=1', 'https://example.com/***'],
  ['https://[2606:4700::1111]/x', 'https://[2606:4700::1111]/***'],
  ['https://discord.com/api/webhooks/1/secret', 'https://discord.com/***'],
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
