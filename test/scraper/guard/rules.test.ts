import { describe, expect, it } from 'vitest'
import { findPairByKey, type PairKey } from '../../../shared/market/catalog.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { limitsOf } from '../../../workers/scraper/guard/rules/limits.ts'
import type { Rule, Subject, WitnessWord } from '../../../workers/scraper/guard/rules/rule.ts'
import { anotherPair } from '../../../workers/scraper/guard/rules/another-pair.ts'
import { contradicted } from '../../../workers/scraper/guard/rules/contradicted.ts'
import { inverted } from '../../../workers/scraper/guard/rules/inverted.ts'
import { leavesRelatives } from '../../../workers/scraper/guard/rules/leaves-relatives.ts'
import { swapped } from '../../../workers/scraper/guard/rules/swapped.ts'
import { unusualSpread } from '../../../workers/scraper/guard/rules/unusual-spread.ts'

type Level = [buy: number, sell: number]

const level = ([buy, sell]: Level) => ({ buy: numberToPrice(buy), sell: numberToPrice(sell) })

/** A value beside the one in effect, with nobody else about. */
function subject(key: PairKey, before: Level, now: Level, more: Partial<Subject> = {}): Subject {
  const pair = findPairByKey(key)!
  return {
    pair,
    limits: limitsOf(pair),
    ...level(now),
    baseline: level(before),
    inEffect: level(before),
    stale: false,
    closedHours: 0,
    usualSpread: null,
    before: [],
    witnesses: [],
    relatives: null,
    others: [],
    ...more,
  }
}

const witness = (says: Level, floor = 0.02): WitnessWord => ({
  said: level(says),
  knowsBuy: true,
  floor,
})

function verdict(rule: Rule, ...given: Parameters<typeof subject>): boolean {
  return rule.suspects(subject(...given))
}

describe('sides swapped', () => {
  it.each<[PairKey, Level, Level, boolean]>([
    ['USD/CCL', [1200, 1212], [1212, 1200], true],
    ['USD/CCL', [1200, 1212], [1215, 1203], true],
    ['USD/CCL', [1200, 1212], [1212, 1182], false],
    ['USD/CCL', [1200, 1212], [1200, 1212], false],
    ['BRL/OFICIAL', [280, 280.2], [280.2, 280], true],
  ])('%s from %s to %s: %s', (pair, before, now, expected) => {
    expect(verdict(swapped, pair, before, now)).toBe(expected)
  })

  it('are seen beside what the source said before, when another one is in effect', () => {
    const before = [level([1084, 1114])]
    expect(verdict(swapped, 'USD/CCL', [1095, 1095], [1114, 1084], { before })).toBe(true)
  })
})

describe('an inverted quote', () => {
  it.each<[PairKey, Level, boolean]>([
    ['USD/BLUE', [1150, 1149], true],
    ['USD/CRIPTO', [1150, 1146], false],
    ['USD/CRIPTO', [1150, 1140], true],
    ['USD/BOLSA', [1150, 1130], false],
    ['USD/BOLSA', [1150, 1110], true],
    ['USD/CCL', [1150, 1110], false],
    ['USD/CCL', [1150, 1090], true],
  ])('%s at %s: %s', (pair, now, expected) => {
    expect(verdict(inverted, pair, [1145, 1150], now)).toBe(expected)
  })
})

describe('another pair’s value', () => {
  const others = [
    { pair: findPairByKey('USD/BNA')!, ...level([1495, 1545]), lastScrapedAt: 0 },
    { pair: findPairByKey('USD/CCL')!, ...level([1618.2, 1619.6]), lastScrapedAt: 0 },
  ]

  it.each<[PairKey, Level, Level, boolean]>([
    ['USD/BOLSA', [1554, 1555.6], [1618.2, 1619.6], true],
    ['USD/BOLSA', [1554, 1555.6], [1617, 1625], false],
    ['USD/BOLSA', [1554, 1555.6], [1618.21, 1619.6], false],
    ['USD/BLUE', [1520, 1540], [1495, 1545], true],
    ['USD/OFICIAL', [1480, 1530], [1495, 1545], false],
    ['USD/BOLSA', [1617, 1618], [1618.2, 1619.6], false],
  ])('%s from %s to %s: %s', (pair, before, now, expected) => {
    expect(verdict(anotherPair, pair, before, now, { others })).toBe(expected)
  })
})

describe('another pair’s last word', () => {
  const words = [level([1084, 1114.2])]
  const others = [
    { pair: findPairByKey('USD/CCL')!, ...level([1089, 1091]), lastScrapedAt: 0, words },
  ]

  it('counts although it is held', () => {
    expect(verdict(anotherPair, 'USD/CRIPTO', [1058, 1092], [1084, 1114.2], { others })).toBe(true)
  })

  it('is no fault where the source stood near it before', () => {
    const before = [level([1083, 1113.5])]
    const near = { others, before }
    expect(verdict(anotherPair, 'USD/CRIPTO', [1058, 1092], [1084, 1114.2], near)).toBe(false)
  })
})

describe('a spread', () => {
  const usualSpread = { low: 0.001, high: 0.003 }

  it.each<[Level, boolean]>([
    [[1554, 1570], false],
    [[1500, 1556], true],
    [[1554, 1500], true],
    [[1600, 1600], false],
  ])('that its source never has, %s: %s', (now, expected) => {
    expect(verdict(unusualSpread, 'USD/BOLSA', [1554, 1556], now, { usualSpread })).toBe(expected)
  })

  it('is none of the rule’s business before it is known, or when a witness bears both sides', () => {
    expect(verdict(unusualSpread, 'USD/BOLSA', [1554, 1556], [1500, 1556])).toBe(false)
    const borne = { usualSpread, witnesses: [witness([1510, 1550], 0.03)] }
    expect(verdict(unusualSpread, 'USD/BOLSA', [1554, 1556], [1500, 1556], borne)).toBe(false)
  })

  it('is not borne by a witness that is nearer to the old value', () => {
    const near = { usualSpread, witnesses: [witness([1540, 1556], 0.03)] }
    expect(verdict(unusualSpread, 'USD/BOLSA', [1554, 1556], [1500, 1556], near)).toBe(true)
  })
})

describe('a step that a live witness contradicts', () => {
  const from: Level = [1125, 1145]

  it.each<[string, Level, WitnessWord[], boolean]>([
    ['3 % up, nobody else says so', [1159, 1180], [witness([1126, 1146])], true],
    ['3 % up, and nobody is there', [1159, 1180], [], false],
    ['1.5 % up', [1142, 1162], [witness([1125, 1145])], false],
    ['3 % up, a second witness too', [1159, 1180], [witness(from), witness([1158, 1179])], false],
    ['3 % up, by one that is known to stray', [1159, 1180], [witness(from, 0.04)], false],
    ['the witness stands apart from both', [1159, 1180], [witness([1090, 1110])], false],
    ['buy 6 % down', [1057, 1145], [witness(from)], true],
  ])('%s', (_, now, witnesses, expected) => {
    expect(verdict(contradicted, 'USD/BLUE', from, now, { witnesses })).toBe(expected)
  })

  it('is one by its buy, though the same witness shows its sell', () => {
    const witnesses = [witness([1297, 1297])]
    const now: Level = [1343, 1297]
    expect(verdict(contradicted, 'USD/CCL', [1300, 1302], now, { witnesses })).toBe(true)
  })
})

describe('a bank that switches its buy to another counter', () => {
  it.each<[Level, boolean]>([
    [[844.5, 884.5], false],
    [[820, 884.5], true],
  ])('%s', (now, expected) => {
    const witnesses = [witness([884.5, 884.5])]
    expect(verdict(contradicted, 'USD/OFICIAL', [884.5, 884.5], now, { witnesses })).toBe(expected)
  })
})

describe('a value that leaves its relatives', () => {
  it.each<[number, number, boolean]>([
    [0, 0.06, true],
    [0, -0.06, true],
    [0, 0.03, false],
    [0.05, 0.06, false],
    [-0.06, 0.01, false],
  ])('from %s off to %s off: %s', (before, after, expected) => {
    const relatives = { before, after }
    const now: Level = [1200, 1202]
    expect(verdict(leavesRelatives, 'USD/BOLSA', [1150, 1152], now, { relatives })).toBe(expected)
  })

  it('is none when its relatives are not known', () => {
    expect(verdict(leavesRelatives, 'USD/BOLSA', [1150, 1152], [1300, 1302])).toBe(false)
  })
})
