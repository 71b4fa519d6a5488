import { Big } from 'big.js'
import { describe, expect, it } from 'vitest'
import {
  crossRate,
  parseTarjetaRate,
  tarjetaOf,
  timesInput,
} from '../../../../workers/scraper/pairs/derive/crosses.ts'
import { art } from '../../../support/instant.ts'
import { derived, documents } from './support.ts'

const from = documents({
  'ambito-blue': 'ambito-quote.json',
  'bcra-cotizaciones': 'bcra-cotizaciones.json',
  'bcra-a3500': 'bcra-a3500.json',
  'bna-personas': 'bna.html',
  mindicador: 'mindicador.json',
})

describe('crosses', () => {
  it('take the newest day up to today, in whatever order', () => {
    const derive = crossRate({ input: ['bcra-a3500', 'A3500'] }, ['mindicador', 'CLP per USD'])
    const value = new Big('1451.2364').div('905.4').round(6)
    expect(derived(derive, from, { now: art('2026-03-03 23:00') })).toBe(`${value} ${value}`)
    expect(derived(derive, from, { now: art('2026-03-01 23:00') })).toBeNull()
  })

  it('are none when an ingredient is away', () => {
    const noBlue = timesInput('dolarhoy', 'USD/BLUE', 'bcra-cotizaciones', 'EUR/USD')
    const noFactor = timesInput('ambito-blue', 'USD/BLUE', 'bcra-a3500', 'EUR/USD')
    expect(derived(noBlue, from)).toBeNull()
    expect(derived(noFactor, from)).toBeNull()
  })
})

describe('tarjeta', () => {
  it("is Banco Nación's on both sides times the rate", () => {
    const rate = { tarjetaRate: new Big('0.60') }
    expect(derived(tarjetaOf('bna-personas'), from, rate)).toBe('2288 2368')
  })

  it.each(['0.30', '0', '0.6', '2'])('takes the rate %s', (text) => {
    expect(parseTarjetaRate(text).eq(text)).toBe(true)
  })

  it.each(['', '30%', '-0.3', '2.1', '0,30', 'x', '0.30000'])('refuses the rate %j', (text) => {
    expect(() => parseTarjetaRate(text)).toThrow('TARJETA_RATE')
  })
})
