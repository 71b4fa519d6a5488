import { Big } from 'big.js'
import { describe, expect, it } from 'vitest'
import { latestInput } from '../../../../workers/scraper/pairs/derive/crosses.ts'
import {
  cerFromUva,
  uvaFromCer,
  valueOfToday,
} from '../../../../workers/scraper/pairs/derive/indices.ts'
import { art } from '../../../support/instant.ts'
import { derived, documents } from './support.ts'

describe('the value of today', () => {
  const from = documents({
    'bcra-cer': 'bcra-cer.json',
    'argentinadatos-uva': 'argentinadatos-uva.json',
  })

  it('is never of a day to come, which the BCRA publishes too', () => {
    expect(derived(latestInput('bcra-cer', 'CER'), from)).toBe('696.383776 696.383776')
  })

  it('turns with the Argentine midnight', () => {
    const cer = latestInput('bcra-cer', 'CER')
    expect(derived(cer, from, { now: art('2026-03-04 23:59:59.999') })).toBe(
      '696.383776 696.383776',
    )
    expect(derived(cer, from, { now: art('2026-03-05 00:00') })).toBe('696.903413 696.903413')
  })

  it('is none before the first day', () => {
    expect(derived(latestInput('bcra-cer', 'CER'), from, { now: art('2026-02-20') })).toBeNull()
  })

  it('of hosts that may lag is of today or none', () => {
    const uva = valueOfToday('argentinadatos-uva', 'UVA')
    expect(derived(uva, from)).toBe('1757.31 1757.31')
    expect(derived(uva, from, { now: art('2026-03-05 10:00') })).toBeNull()
  })
})

describe('CER and UVA from each other', () => {
  it('fall back to the business day before when the UVA ends today', () => {
    const uva = documents({ 'argentinadatos-uva': 'argentinadatos-uva.json' })
    const cer = new Big('1757.31').times('5.5636').div('14.05').round(6)
    expect(derived(cerFromUva('argentinadatos-uva'), uva)).toBe(`${cer} ${cer}`)
  })

  it('are none without the day that they need', () => {
    const from = documents({ 'bcra-cer': 'bcra-cer.json', 'bcra-uva': 'bcra-uva.json' })
    expect(derived(uvaFromCer('bcra-cer'), from, { now: art('2027-03-01') })).toBeNull()
    expect(derived(cerFromUva('bcra-uva'), from, { now: art('2027-03-01') })).toBeNull()
  })
})
