import { Big } from 'big.js'
import { describe, expect, it } from 'vitest'
import { addDays } from '../../../../shared/argentine-time.ts'
import { uvaDayBefore } from '../../../../shared/market/holidays.ts'
import {
  cerFromUva,
  uvaFromCer,
  valueInEffect,
  valueOfToday,
} from '../../../../workers/scraper/pairs/derive/indices.ts'
import type { Documents } from '../../../../workers/scraper/pairs/pair-source.ts'
import { art } from '../../../support/instant.ts'
import { derived, documents } from './support.ts'

describe('the value of today', () => {
  const from = documents({
    'bcra-cer': 'bcra-cer.json',
    'argentinadatos-uva': 'argentinadatos-uva.json',
  })

  it('is never of a day to come, which the BCRA publishes too', () => {
    expect(derived(valueInEffect('bcra-cer', 'CER'), from)).toBe('696.383776 696.383776')
  })

  it('turns with the Argentine midnight', () => {
    const cer = valueInEffect('bcra-cer', 'CER')
    expect(derived(cer, from, { now: art('2026-03-04 23:59:59.999') })).toBe(
      '696.383776 696.383776',
    )
    expect(derived(cer, from, { now: art('2026-03-05 00:00') })).toBe('696.903413 696.903413')
  })

  it('is none before the first day', () => {
    expect(derived(valueInEffect('bcra-cer', 'CER'), from, { now: art('2026-02-20') })).toBeNull()
  })

  it('of hosts that may lag is of today or none', () => {
    const uva = valueOfToday('argentinadatos-uva', 'UVA')
    expect(derived(uva, from)).toBe('1757.31 1757.31')
    expect(derived(uva, from, { now: art('2026-03-05 10:00') })).toBeNull()
  })
})

/** A CER that grows every calendar day, and the UVA that the identity makes of it, in cents. */
function series(first: string, days: number): Documents {
  const cer = new Map<string, Big>()
  for (let at = 0, value = new Big(700); at < days; at++, value = value.times('1.00075')) {
    cer.set(addDays(first, at), value)
  }
  const inputs = [...cer].map(([day, value]) => ({
    kind: 'input' as const,
    name: 'CER',
    day,
    value,
  }))
  const uvas = [...cer.keys()].flatMap((day) => {
    const base = cer.get(uvaDayBefore(day))
    const value = base?.times('14.05').div('5.5636').round(2)
    return value ? [{ kind: 'input' as const, name: 'UVA', day, value }] : []
  })
  return new Map([
    ['cer', inputs],
    ['uva', uvas],
  ])
}

/** How far two answers lie apart; not a number when one is none. */
function apart(one: string | null, other: string | null): number {
  return Math.abs(Number(one?.split(' ')[1]) - Number(other?.split(' ')[1]))
}

describe('CER and UVA from each other', () => {
  const from = series('2026-11-10', 40)

  it.each([
    ['a Thursday', '2026-11-19 10:00'],
    ['a Friday', '2026-11-20 10:00'],
    ['a Saturday', '2026-11-21 10:00'],
    ['a Sunday', '2026-11-22 10:00'],
    ['a holiday Monday', '2026-11-23 10:00'],
    ['a Tuesday', '2026-11-24 10:00'],
    ['a bridge day', '2026-12-07 10:00'],
  ])('agree to a cent on %s', (_, at) => {
    const clock = { now: art(at) }

    const uva = derived(uvaFromCer('cer'), from, clock)
    expect(apart(uva, derived(valueOfToday('uva', 'UVA'), from, clock))).toBeLessThanOrEqual(0.005)
    const cer = derived(cerFromUva('uva'), from, clock)
    expect(apart(cer, derived(valueOfToday('cer', 'CER'), from, clock))).toBeLessThanOrEqual(0.01)
  })

  it('fall back to the business day before when the UVA ends today', () => {
    const uva = documents({ 'argentinadatos-uva': 'argentinadatos-uva.json' })
    const cer = new Big('1757.31').times('5.5636').div('14.05').round(6)
    expect(derived(cerFromUva('argentinadatos-uva'), uva)).toBe(`${cer} ${cer}`)
  })

  it('are none without the day that they need', () => {
    expect(derived(uvaFromCer('cer'), from, { now: art('2027-03-01') })).toBeNull()
    expect(derived(cerFromUva('uva'), from, { now: art('2027-03-01') })).toBeNull()
  })
})
