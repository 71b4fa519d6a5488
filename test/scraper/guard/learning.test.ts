import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findPairByKey } from '../../../shared/market/catalog.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { explain } from '../../../workers/scraper/guard/explain.ts'
import { learnSpread, recordReadings } from '../../../workers/scraper/guard/learn.ts'
import { MILLION, newSource, type SourceMemory } from '../../../workers/scraper/guard/memory.ts'
import { offRelatives } from '../../../workers/scraper/guard/subject.ts'
import { openDesk } from '../../support/guard-desk.ts'

const BLUE: [number, number] = [1125, 1145]
const HOUR = 12
const DAY = 288

const NEW = newSource(
  {
    name: 'a',
    provenance: 'a',
    sameDefinition: true,
    onlySell: false,
    buy: 10_000_000,
    sell: 10_000_000,
  },
  0,
)

const basisOf = (desk: ReturnType<typeof openDesk>) =>
  desk.memory!.sources.find(({ name }) => name === 'second')!.habits.offset.sell / MILLION

/** First says a wrong value, alone and for so long that it is believed. */
function afterFault() {
  const desk = openDesk('USD/BLUE', BLUE)
  desk.cycles(DAY, { first: BLUE, second: [1128, 1150] })
  const known = desk.memory!.sources.map(({ name, habits }) => ({
    name,
    basis: habits.offset.sell,
  }))
  desk.cycles(24, { first: [1190, 1215] })
  expect(desk.sell()).toBe(1215)
  desk.cycles(4 * HOUR, { first: [1190, 1215], second: [1190, 1215] })
  return { desk, known }
}
const basesOf = ({ memory }: ReturnType<typeof openDesk>) =>
  memory!.sources.map(({ name, habits }) => ({ name, basis: habits.offset.sell }))

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

describe('the usual spread', () => {
  const known = Array(DAY)
    .fill(0.01)
    .reduce((habits, spread: number) => learnSpread(habits, level(spread)), NEW.habits)

  it('moves by a twentieth of a per cent in an hour, whatever is said', () => {
    fc.assert(
      fc.property(fc.double({ min: -0.2, max: 0.3, noNaN: true }), (fault) => {
        const { spread } = Array(HOUR)
          .fill(fault)
          .reduce((habits, one: number) => learnSpread(habits, level(one)), known)
        expect(Math.abs(spread - known.spread) / MILLION).toBeLessThan(0.0005)
      }),
    )
  })
})

describe('how often a source changes', () => {
  it('is that of its days: a quiet day among them moves it by a tenth', () => {
    let source: SourceMemory = NEW
    for (let cycle = 1; cycle <= 600; cycle += 1) {
      const isQuiet = cycle % 100 > 80
      const sell = 10_000_000 + (isQuiet ? 0 : Math.floor(cycle / 12))
      const said = { pair: findPairByKey('USD/BLUE')!, source: 'a', provenance: 'a' }
      const heard = { ...said, sameDefinition: true, buy: sell, sell }
      source = recordReadings([source], [heard], cycle * 300_000)[0]!
    }
    expect(source.habits.interval).toBeGreaterThan(45)
    expect(source.habits.interval).toBeLessThan(100)
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
  const relatives = { ratios, noise: 0 }
  const market = [value('USD/BLUE', 1000), value('USD/BOLSA', 1000), value('USD/CRIPTO', 1200)]

  it('are asked by their median: one that is wrong says nothing', () => {
    expect(offRelatives(numberToPrice(1000), relatives, market, now)).toBeCloseTo(0)
  })

  it('are silent when none is known, or their values are old', () => {
    const unknown = { ratios: [], noise: 0 }
    expect(offRelatives(numberToPrice(1000), unknown, market, now)).toBeNull()
    const old = [value('USD/BLUE', 1000, 2 * 86_400_000)]
    expect(offRelatives(numberToPrice(1000), relatives, old, now)).toBeNull()
  })
})

describe('what the operator is shown', () => {
  it('says who speaks, what is held, and the ballot of each', () => {
    const desk = openDesk('USD/BLUE', BLUE)
    desk.cycles(DAY, { first: BLUE, second: BLUE })
    desk.cycle({ first: [1350, 1374], second: BLUE })
    const pair = findPairByKey('USD/BLUE')!
    expect(explain(pair, desk.memory, desk.current, [], desk.now)).toMatchObject([
      {
        name: 'first',
        opinion: 'held',
        ballot: expect.stringMatching(
          /^sell \+20\.0 %: \+\d\.\d · second says 1145 after 0 min: −\d\.\d · .* of 6: held$/,
        ),
      },
      { name: 'second', opinion: 'speaks', basis: { sell: 0 } },
    ])
  })
})
