import { Big } from 'big.js'
import { describe, expect, it } from 'vitest'
import {
  crossRate,
  latestInput,
  parseTarjetaRate,
  tarjetaOf,
  timesInput,
  turista,
} from '../../../../workers/scraper/pairs/derive/crosses.ts'
import { art } from '../../../support/instant.ts'
import { derived, documents } from './support.ts'

const from = documents({
  'ambito-mayorista': 'ambito-quote.json',
  'ambito-blue': 'ambito-quote.json',
  'ambito-turista': 'ambito-quote.json',
  'bcra-cotizaciones': 'bcra-cotizaciones.json',
  'bcra-a3500': 'bcra-a3500.json',
  'bna-personas': 'bna.html',
  mindicador: 'mindicador.json',
  bcu: 'bcu.xml',
  'bcb-ptax': 'bcb.json',
})

describe('crosses', () => {
  it('take one number for both sides', () => {
    expect(derived(latestInput('bcra-cotizaciones', 'REF'), from)).toBe('1451.2364 1451.2364')
  })

  it.each([
    [
      'CLP by mindicador',
      crossRate({ input: ['bcra-a3500', 'A3500'] }, ['mindicador', 'CLP per USD']),
      1451.2364 / 907.12,
    ],
    [
      'UYU by the BCU',
      crossRate({ input: ['bcra-a3500', 'A3500'] }, ['bcu', 'UYU per USD']),
      1451.2364 / 38.764,
    ],
    [
      'BRL by PTAX',
      crossRate({ input: ['bcra-a3500', 'A3500'] }, ['bcb-ptax', 'BRL per USD']),
      1451.2364 / 5.239,
    ],
  ])('divide the wholesale reference by the units per dollar: %s', (_, derive, expected) => {
    const value = new Big(expected).round(6).toString()
    expect(derived(derive, from)).toBe(`${value} ${value}`)
  })

  it('keep the two sides of a quoted dollar', () => {
    const derive = crossRate({ quote: ['ambito-mayorista', 'USD/MAYORISTA'] }, [
      'bcu',
      'CLP per USD',
    ])
    expect(derived(derive, from)).toBe(
      `${new Big(1442.5).div(908.25).round(6)} ${new Big(1492.75).div(908.25).round(6)}`,
    )
  })

  it('turn the blue dollar into the blue euro', () => {
    const derive = timesInput('ambito-blue', 'USD/BLUE', 'bcra-cotizaciones', 'EUR/USD')
    expect(derived(derive, from)).toBe('1676.185 1734.5755')
  })

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
    expect(derived(tarjetaOf('bna-personas'), from)).toBe('1859 1924')
    expect(derived(tarjetaOf('bna-personas'), from, { tarjetaRate: new Big('0.60') })).toBe(
      '2288 2368',
    )
  })

  it('of 1545 at 30 % is 2008.5', () => {
    const dollar = {
      kind: 'quote',
      pair: 'USD/BNA',
      buy: new Big(1495),
      sell: new Big(1545),
    } as const
    expect(derived(tarjetaOf('bna'), new Map([['bna', [dollar]]]))).toBe('1943.5 2008.5')
  })

  it('by Ámbito has its buy still without the perception', () => {
    expect(derived(turista('ambito-turista'), from)).toBe('1875.25 1492.75')
  })

  it.each(['0.30', '0', '0.6', '2'])('takes the rate %s', (text) => {
    expect(parseTarjetaRate(text).eq(text)).toBe(true)
  })

  it.each(['', '30%', '-0.3', '2.1', '0,30', 'x', '0.30000'])('refuses the rate %j', (text) => {
    expect(() => parseTarjetaRate(text)).toThrow('TARJETA_RATE')
  })
})
