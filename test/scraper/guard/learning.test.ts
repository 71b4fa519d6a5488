import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findPairByKey } from '../../../shared/market/catalog.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { explain } from '../../../workers/scraper/guard/explain.ts'
import { MILLION, type SourceMemory } from '../../../workers/scraper/guard/observe/memory.ts'
import { offRelatives } from '../../../workers/scraper/guard/observe/relatives.ts'
import { learnInterval } from '../../../workers/scraper/guard/observe/rhythm.ts'
import { learnSpread, usualSpread } from '../../../workers/scraper/guard/observe/spread.ts'
import { openDesk } from '../../support/guard-desk.ts'

const BLUE: [number, number] = [1125, 1145]
const HOUR = 12
const DAY = 288

const usual: SourceMemory['usual'] = {
  basisBuy: 0,
  basisSell: 0,
  noise: 0,
  samples: 0,
  spreads: 0,
  spreadLow: 0,
  spreadHigh: 0,
  interval: 0,
}

const basisOf = (desk: ReturnType<typeof openDesk>) =>
  desk.memory!.sources.find(({ name }) => name === 'second')!.usual.basisSell / MILLION

/** First says a wrong value, alone and for so long that it is believed. */
function afterFault() {
  const desk = openDesk('USD/BLUE', BLUE)
  desk.cycles(DAY, { first: BLUE, second: [1128, 1150] })
  const known = desk.memory!.sources.map(({ name, usual }) => ({ name, basis: usual.basisSell }))
  desk.cycles(24, { first: [1190, 1215], second: [1128, 1150] })
  expect(desk.sell()).toBe(1215)
  desk.cycles(4 * HOUR, { first: [1190, 1215], second: [1190, 1215] })
  return { desk, known }
}
const basesOf = ({ memory }: ReturnType<typeof openDesk>) =>
  memory!.sources.map(({ name, usual }) => ({ name, basis: usual.basisSell }))

const level = (spread: number) => ({
  buy: 10_000_000,
  sell: Math.round(10_000_000 * (1 + spread)),
})
describe('the basis of a source', () => {
  it('is learned in calm cycles', () => {
    const desk = openDesk('USD/BLUE', BLUE)
    desk.cycles(DAY, { first: BLUE, second: [1128, 1150] })
    expect(basisOf(desk)).toBeCloseTo(Math.log(1150 / 1145), 4)
  })

  it('is never learned beyond the cap of its pair: that is no definition', () => {
    const desk = openDesk('USD/BLUE', BLUE)
    desk.cycles(DAY, { first: BLUE, second: [1165, 1190] })
    expect(basisOf(desk)).toBe(0)
  })

  it('is moved by an hour’s fault by no more than a twentieth of a per cent', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.9, max: 1.1, noNaN: true }), (factor) => {
        const desk = openDesk('USD/BLUE', BLUE)
        desk.cycles(DAY, { first: BLUE, second: BLUE })
        desk.cycles(HOUR, { first: BLUE, second: [1125 * factor, 1145 * factor] })
        expect(Math.abs(basisOf(desk))).toBeLessThan(0.0005)
      }),
      { numRuns: 15 },
    )
  })

  it('is not learned within an hour of a hold', () => {
    const desk = openDesk('USD/BLUE', BLUE)
    desk.cycles(DAY, { first: BLUE, second: BLUE })
    desk.cycles(2, { first: [1250, 1270], second: BLUE })
    desk.cycles(HOUR - 1, { first: BLUE, second: [1128, 1148] })
    expect(basisOf(desk)).toBe(0)
  })
})

describe('what a published value taught', () => {
  it('is dropped when the source comes back within a day', () => {
    const { desk, known } = afterFault()
    desk.cycle({ first: BLUE, second: [1128, 1150] })
    expect(desk.sell()).toBe(1145)
    expect(basesOf(desk)).toEqual(expect.arrayContaining(known))
  })

  it('is dropped when an operator corrects it', () => {
    const { desk, known } = afterFault()
    desk.current = { ...desk.current!, buy: 11_250_000, sell: 11_450_000 }
    desk.cycle({ first: BLUE, second: [1128, 1150] })
    expect(basesOf(desk)).toEqual(expect.arrayContaining(known))
  })
})

const spreads = (...given: number[]) =>
  given.reduce((known, spread) => learnSpread(known, level(spread)), usual)

describe('the usual spread', () => {
  it('is not known from a few cycles', () => {
    expect(usualSpread(spreads(...Array(20).fill(0.01)))).toBeNull()
  })

  it('moves by a quarter of a per cent in an hour, whatever is said', () => {
    fc.assert(
      fc.property(fc.double({ min: -0.2, max: 0.3, noNaN: true }), (fault) => {
        const known = spreads(...Array(DAY).fill(0.01))
        const after = Array(HOUR)
          .fill(fault)
          .reduce((usual, spread: number) => learnSpread(usual, level(spread)), known)
        const { low, high } = usualSpread(after)!
        expect(low).toBeGreaterThanOrEqual(0.01 - 0.0025)
        expect(high).toBeLessThanOrEqual(0.01 + 0.0025)
      }),
    )
  })

  it('says nothing of a source that prints one number', () => {
    expect(learnSpread(usual, { buy: 5, sell: 5 })).toEqual(usual)
  })
})

describe('the rhythm of a source', () => {
  it('is that of its days: one long night moves it by a tenth', () => {
    let interval = 0
    for (let change = 0; change < 60; change += 1) {
      interval = learnInterval({ ...usual, interval }, change % 8 === 7 ? 150 : 12)
    }
    expect(interval / 10).toBeGreaterThan(9)
    expect(interval / 10).toBeLessThan(16)
  })
})

describe('the relatives of a pair', () => {
  const now = 1e12
  const value = (key: 'USD/BLUE' | 'USD/BOLSA' | 'USD/CRIPTO', sell: number, age = 0) => ({
    pair: findPairByKey(key)!,
    buy: numberToPrice(sell),
    sell: numberToPrice(sell),
    lastScrapedAt: now - age,
  })
  const ratios = ['USD/BLUE', 'USD/BOLSA', 'USD/CRIPTO'].map((pair) => ({
    pair,
    ratio: 0,
    samples: DAY,
  }))
  const market = [value('USD/BLUE', 1000), value('USD/BOLSA', 1000), value('USD/CRIPTO', 1200)]

  it('are asked by their median: one that is wrong says nothing', () => {
    expect(offRelatives(numberToPrice(1000), ratios, market, now)).toBeCloseTo(0)
  })

  it('are silent when fewer than two are known, or their values are old', () => {
    expect(offRelatives(numberToPrice(1000), ratios.slice(0, 1), market, now)).toBeNull()
    const old = [value('USD/BLUE', 1000, 2 * 86_400_000), value('USD/BOLSA', 1000)]
    expect(offRelatives(numberToPrice(1000), ratios, old, now)).toBeNull()
  })
})

describe('what the operator is shown', () => {
  it('names the source that speaks, the rule that doubts another, and what is held', () => {
    const desk = openDesk('USD/BLUE', BLUE)
    desk.cycles(DAY, { first: BLUE, second: BLUE })
    desk.cycle({ first: [1350, 1374], second: BLUE })
    const pair = findPairByKey('USD/BLUE')!
    const opinion = explain(pair, desk.memory, desk.current, [], desk.now)

    expect(opinion.hold).toMatchObject({ source: 'first', reason: 'jump', cycles: 1 })
    expect(opinion.sources).toMatchObject([
      { name: 'first', opinion: 'jump', inUse: true },
      { name: 'second', opinion: 'good, not live', basis: { sell: 0 } },
    ])
  })
})
