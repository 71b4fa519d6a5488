import { describe, expect, it } from 'vitest'
import { findPairByKey, type PairKey } from '../../../shared/market/catalog.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { type Desk, openDesk, type Says } from '../../support/guard-desk.ts'

const BLUE: [number, number] = [1125, 1145]
const HOUR = 12
const DAY = 288

/** Two sources that change together every twenty cycles, and stand at `BLUE` at last. */
function openKnown(): Desk {
  const desk = openDesk('USD/BLUE', [1119, 1139])
  for (let step = 1; step <= 6; step += 1) {
    const says: Says = [1119 + step, 1139 + step]
    desk.cycles(20, { first: says, second: says })
  }
  return desk
}

const marketOf = (desk: Desk, sells: Partial<Record<PairKey, number>>) =>
  Object.entries(sells).map(([key, sell]) => ({
    pair: findPairByKey(key)!,
    buy: numberToPrice(sell),
    sell: numberToPrice(sell),
    lastScrapedAt: desk.now,
  }))

describe('a source that missed a small step', () => {
  it('is left behind once it is overdue, though the other one moved long before', () => {
    const desk = openDesk('USD/BLUE', BLUE)
    for (let step = 1; step <= 6; step += 1) {
      const says: Says = [1125 + step, 1145 + step]
      desk.cycles(40, { first: says, second: says })
    }
    const last: Says = [1131, 1151]
    expect(desk.cycles(2, { first: last, second: [1136, 1156] }).source).toBe('first')
    expect(desk.cyclesUntilPublished({ first: last, second: [1136, 1156] }, HOUR)).not.toBeNull()
    expect(desk.sell()).toBe(1156)
  })

  it('is left behind by one that went far, was doubted, and came back by half', () => {
    const desk = openKnown()
    desk.cycles(HOUR, { first: BLUE, second: [1165, 1186] })
    desk.cycles(2 * HOUR, { first: BLUE, second: [1150, 1171] })
    expect(desk.current).toMatchObject({ source: 'second', sell: 11_710_000 })
  })

  it('is not left behind by one that it left itself, and that came nearer', () => {
    const desk = openKnown()
    const moved: Says = [1137, 1157]
    desk.cycles(2, { first: moved, second: BLUE })
    const decision = desk.cycles(5 * HOUR, { first: moved, second: [1131, 1151] })
    expect(decision).toMatchObject({ publish: null, source: 'first' })
    expect(desk.sell()).toBe(1157)
  })
})

describe('a jump away from a source that froze', () => {
  const jump: Says = [1195, 1216]

  it('is outwaited once that one has said the same for far longer than it usually does', () => {
    const desk = openKnown()
    desk.cycles(3 * HOUR, { first: BLUE, second: BLUE })
    expect(desk.cycles(HOUR + 1, { first: BLUE, second: jump })).toMatchObject({
      confirmed: true,
      source: 'first',
      held: { candidate: { source: 'second' } },
    })
    const later = desk.cyclesUntilPublished({ first: BLUE, second: jump }, 12 * HOUR)
    expect(later).toBeGreaterThan(HOUR / 2)
    expect(desk.sell()).toBe(1216)
  })

  it('is never outwaited while that one goes on changing where it was', () => {
    const desk = openKnown()
    desk.cycles(3 * HOUR, { first: BLUE, second: BLUE })
    for (let turn = 0; turn < 24; turn += 1) {
      const first: Says = [1125 + (turn % 2), 1145 + (turn % 2)]
      desk.cycles(HOUR / 2, { first, second: jump })
      expect(desk.sell()).toBeLessThan(1150)
    }
  })

  it('passes at once when the relatives stand where it ends', () => {
    const desk = openKnown()
    desk.market = marketOf(desk, { 'USD/BOLSA': 1145, 'USD/CRIPTO': 1145 })
    desk.cycles(2 * HOUR, { first: BLUE, second: BLUE })
    desk.market = marketOf(desk, { 'USD/BOLSA': 1205, 'USD/CRIPTO': 1205 })
    expect(desk.cycle({ first: BLUE, second: [1186, 1207] }).publish).toMatchObject({
      sell: 12_070_000,
    })
  })

  it('waits when the relatives stand where it began', () => {
    const desk = openKnown()
    desk.market = marketOf(desk, { 'USD/BOLSA': 1145, 'USD/CRIPTO': 1145 })
    desk.cycles(2 * HOUR, { first: BLUE, second: BLUE })
    const jump: Says = [1186, 1207]
    expect(desk.cyclesUntilPublished({ first: BLUE, second: jump }, HOUR)).toBeNull()
  })
})

describe('a book that crosses too far to be published', () => {
  it('bears out the move of another source all the same', () => {
    const desk = openDesk('USD/CCL', [1150, 1151])
    desk.cycles(2 * HOUR, { first: [1150, 1151], second: [1150, 1151] })
    const decision = desk.cycle({ first: [1300, 1260], second: [1265, 1266] })
    expect(decision).toMatchObject({ publish: { source: 'second' }, held: { reason: 'form' } })
  })
})

describe('two sources that usually stand apart and print the very same quote', () => {
  it('have one level then: it is published at once', () => {
    const desk = openDesk('USD/MAYORISTA', [842, 882])
    desk.cycles(4 * HOUR, { first: [842, 882], second: [863, 866] })
    expect(desk.cycle({ first: [862, 865], second: [862, 865] }).publish).toMatchObject({
      source: 'first',
    })
  })
})

describe('a book that crosses by less than books of bonds do', () => {
  it('is judged by its step alone, however long that is doubted', () => {
    const desk = openDesk('USD/CCL', [1150, 1150])
    desk.cycles(2 * HOUR, { first: [1151, 1150], second: [1151, 1150] })
    const jump: Says = [1236, 1225]
    expect(desk.cycles(3, { first: jump }).held?.reason).not.toBe('form')
    expect(desk.cycles(1, { first: jump, second: [1225, 1226] }).publish).not.toBeNull()
  })
})

describe('a source that showed its sides exchanged', () => {
  it('is heard again at once, however small its spread is', () => {
    const desk = openDesk('USD/MAYORISTA', [917, 920])
    desk.cycles(3, { first: [917, 920] })
    expect(desk.cycles(HOUR, { first: [920, 917] }).held?.reason).toBe('form')
    expect(desk.cycle({ first: [918, 921] })).toMatchObject({
      publish: { source: 'first' },
      held: null,
    })
  })
})

describe('a buy that was copied from the sell', () => {
  const [HONEST, COPIED]: Says[] = [
    [1474.3, 1525.7],
    [1525.7, 1525.7],
  ]

  it('is no first value beside others that give both sides', () => {
    const desk = openDesk('USD/OFICIAL')
    const decision = desk.cycle({ first: COPIED!, near: HONEST!, third: HONEST! })
    expect(decision.publish).toMatchObject({ source: 'near', buy: 14_743_000 })
    expect(decision.held).toMatchObject({ candidate: { source: 'first' }, reason: 'form' })
  })

  it('is never published by patience, nor when its source takes over', () => {
    const desk = openDesk('USD/OFICIAL', [1474.3, 1525.7])
    desk.cycles(DAY, { first: HONEST!, second: HONEST! })
    desk.cycles(DAY, { first: COPIED! })
    desk.cycles(DAY, { first: 'fails', second: COPIED! })
    expect(desk.current).toMatchObject({ buy: 14_743_000, sell: 15_257_000 })
  })

  it('is the quote of a source that gives one number, which says nothing of another one’s buy', () => {
    const desk = openKnown()
    desk.cycles(3, { first: 'fails', second: BLUE })
    desk.cycles(2, { first: 'fails', third: [1150] })
    expect(desk.cycle({ first: [1120, 1150], third: [1150] }).held).toBeNull()
  })
})
