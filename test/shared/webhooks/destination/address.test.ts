import { describe, expect, it } from 'vitest'
import { ADDRESS_BLOCKS } from '../../../../shared/webhooks/destination/address.ts'
import { ANSWER_RULES } from '../../../../shared/webhooks/destination/answers.ts'
import {
  isGlobalAddress,
  checkAnswers,
} from '../../../../shared/webhooks/destination/destination.ts'

describe('an address is global', () => {
  it.each(['1.1.1.1', '9.255.255.255', '172.32.0.0', '168.63.129.15', '223.255.255.255'])(
    '%s',
    (address) => expect(isGlobalAddress(address)).toBe(true),
  )
  it.each([
    '2000::',
    '2001:200::',
    '2606:4700::1111',
    '3ffe:ffff::1',
    '2800:810::1',
    '2A00::8.8.8.8',
  ])('%s', (address) => expect(isGlobalAddress(address)).toBe(true))
})

describe('an address is not global', () => {
  it.each(['0.0.0.0', '10.1.2.3', '100.127.255.255', '127.0.0.1', '168.63.129.16', '192.0.0.192'])(
    '%s',
    (address) => expect(isGlobalAddress(address)).toBe(false),
  )
  it.each(['::', '::1', '::ffff:8.8.8.8', '64:ff9b::808:808', '2001:1ff::1', '2002:808:808::1'])(
    '%s',
    (address) => expect(isGlobalAddress(address)).toBe(false),
  )
  it.each(['3fff::1', '4000::', '5f00::1', 'fc00::1', 'fe80::1', 'fec0::1', 'ff02::1', '100::1'])(
    '%s',
    (address) => expect(isGlobalAddress(address)).toBe(false),
  )
})

it.each([
  ['192.175.48.1', '192.175.48.0'],
  ['2620:4f:8000::1', '2620:4f:8000::'],
])('%s is refused by the block %s alone', (address, block) => {
  const { refusedIpv4, refusedIpv6 } = ADDRESS_BLOCKS
  const without = {
    ...ADDRESS_BLOCKS,
    refusedIpv4: refusedIpv4.filter(([start]) => start !== block),
    refusedIpv6: refusedIpv6.filter(([start]) => start !== block),
  }
  expect([isGlobalAddress(address), isGlobalAddress(address, without)]).toEqual([false, true])
})

describe('a text is no address', () => {
  it.each(['', '1.1.1', '1.1.1.1.1', '01.1.1.1', '1.1.1.256', '1.1.1.1 ', '0x1.1.1.1', '1.1.1.-1'])(
    '"%s"',
    (text) => expect(isGlobalAddress(text)).toBe(false),
  )
  it.each([
    '2606::1::2',
    '2606:4700',
    '2606::12345',
    '2606::g',
    '2606::1%eth0',
    '[2606::1]',
    ':::',
  ])('"%s"', (text) => expect(isGlobalAddress(text)).toBe(false))
  it.each(['2606:1:2:3:4:5:6:7:8', '2606:1:2:3:4:5:6::7', ':2606::1', '2606::1:', '2606::1.1.1'])(
    '"%s"',
    (text) => expect(isGlobalAddress(text)).toBe(false),
  )
  it.each(['2606:1.1.1.1::', '1.1.1.1::', '2606:1:2:3:4:5:6:1.1.1.1'])('"%s"', (text) =>
    expect(isGlobalAddress(text)).toBe(false),
  )
})

describe('the answers of the DNS', () => {
  it('give every address when all are global', () => {
    expect(checkAnswers(answer('1.1.1.1', '8.8.8.8'), answer('2606:4700::1111'))).toEqual({
      ok: true,
      value: ['1.1.1.1', '8.8.8.8', '2606:4700::1111'],
    })
  })

  it.each([
    ['one private address among public ones', answer('1.1.1.1', '10.0.0.1'), answer()],
    ['a private address of the other family', answer('1.1.1.1'), answer('::1')],
    ['an address that does not parse', answer('1.1.1.1', '1.1.1'), answer()],
    ['an address of the wrong family', answer('2606:4700::1111'), answer()],
  ])('are refused as a destination: %s', (_, a, aaaa) => {
    expect(checkAnswers(a, aaaa)).toEqual({ ok: false, refusal: 'destination' })
  })

  it.each([
    ['no address at all', answer(), answer()],
    ['no such name', { rcode: 'NXDOMAIN', addresses: [] }, { rcode: 'NXDOMAIN', addresses: [] }],
    ['one family failed', answer('1.1.1.1'), { rcode: 'SERVFAIL', addresses: [] }],
  ])('are refused as a network failure: %s', (_, a, aaaa) => {
    expect(checkAnswers(a, aaaa)).toEqual({ ok: false, refusal: 'network' })
  })
})

describe('each rule on the answers is needed', () => {
  it.each([
    ['rcode', answer('1.1.1.1'), { rcode: 'SERVFAIL', addresses: [] }],
    ['too-many', answer(...Array<string>(65).fill('1.1.1.1')), answer()],
    ['unparseable', answer('1.1.1.1', '1.1.1'), answer()],
    ['not-global', answer('1.1.1.1', '10.0.0.1'), answer()],
    ['no-address', answer(), answer()],
  ])('without %s something that must be refused is allowed', (name, a, aaaa) => {
    const others = ANSWER_RULES.filter((rule) => rule.name !== name)
    expect([checkAnswers(a, aaaa).ok, checkAnswers(a, aaaa, others).ok]).toEqual([false, true])
  })
})

function answer(...addresses: string[]) {
  return { rcode: 'NOERROR', addresses }
}
