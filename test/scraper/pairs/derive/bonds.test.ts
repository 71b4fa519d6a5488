import { Big } from 'big.js'
import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../../shared/argentine-time.ts'
import { numberToPrice } from '../../../../shared/market/price.ts'
import { bondRatio } from '../../../../workers/scraper/pairs/derive/bonds.ts'
import type { DeriveContext } from '../../../../workers/scraper/pairs/derivation.ts'
import type { Reading } from '../../../../workers/scraper/sources/source.ts'
import { derived, now } from './support.ts'

type Sides = [last: number | null, bid: number | null, ask: number | null]

/** The books of 28 September 2026, changed only where a test speaks of it. */
const RECORDED: Record<string, Sides> = {
  AL30: [83_940, 83_870, 83_940],
  AL30D: [53.97, 53.96, 53.97],
  AL30C: [51.75, 51.75, 52.99],
}

function books(changed: Record<string, Sides> = {}): Reading[] {
  return Object.entries({ ...RECORDED, ...changed }).map(([symbol, sides]) => {
    const [last, bid, ask] = sides.map((side) => (side === null ? null : new Big(side)))
    return { kind: 'book', symbol, last: last!, bid: bid!, ask: ask! }
  })
}

function published(mep: number, ccl: number, minutesAgo = 5): Partial<DeriveContext> {
  const lastScrapedAt = now - minutesAgo * MINUTE_MS
  return {
    current: new Map([
      ['USD/BOLSA', { sell: numberToPrice(mep), lastScrapedAt }],
      ['USD/CCL', { sell: numberToPrice(ccl), lastScrapedAt }],
    ]),
  }
}

const mep = bondRatio('mep')
const ccl = bondRatio('ccl')

describe('MEP', () => {
  it('is what the books of the two legs give, as on 28 September 2026', () => {
    expect(derived(mep, books())).toBe('1554.011488 1555.596738')
  })

  it('is the ratio of the last trades when a side of a book is empty, or the book is wide', () => {
    const onlyTrades = books({ AL30: [83_940, null, null] })
    expect(derived(mep, onlyTrades)).toBe('1555.308505 1555.308505')
    const wide = books({ AL30D: [53.97, 53, 54.5] })
    expect(derived(mep, wide)).toBe('1555.308505 1555.308505')
  })

  it('stands on the books before the first trade of the day', () => {
    expect(derived(mep, books({ AL30: [null, 83_870, 83_940] }))).toBe('1554.011488 1555.596738')
  })

  it('is none without either', () => {
    expect(derived(mep, books({ AL30D: [null, null, null] }))).toBeNull()
    expect(derived(mep, [])).toBeNull()
  })

  it.each([
    ['within 2 % of the other bond', 85_000, '1554.011488 1555.596738'],
    ['over 2 % above the other bond', 82_000, null],
    ['over 2 % under the other bond', 86_000, null],
  ])('%s', (_, pesos, expected) => {
    const checked = books({ GD30: [pesos, null, null], GD30D: [54, null, null] })
    expect(derived(mep, checked)).toBe(expected)
  })
})

describe('CCL', () => {
  it('is the ratio of the last trades, whatever the thin cable book says', () => {
    expect(derived(ccl, books())).toBe('1622.028986 1622.028986')
  })

  it('is none when the cable leg has not traded today', () => {
    expect(derived(ccl, books({ AL30C: [null, 51.75, 52.99] }))).toBeNull()
  })

  it('is refused over 1 % under MEP, and taken down to that', () => {
    expect(derived(ccl, books({ AL30C: [54.6, null, null] }))).toBeNull()
    expect(derived(ccl, books({ AL30C: [54.4, null, null] }))).toBe('1543.014706 1543.014706')
  })

  it('is checked against the other bond in cable', () => {
    const checked = books({ GD30: [86_000, null, null], GD30C: [51, null, null] })
    expect(derived(ccl, checked)).toBeNull()
  })

  it.each([
    ['moved 1.9 % while MEP stood', published(1555, 1592), null],
    ['moved 1.4 % while MEP stood', published(1555, 1600), '1622.028986 1622.028986'],
    ['moved with MEP', published(1520, 1592), '1622.028986 1622.028986'],
    [
      'has no fresh value to be measured from',
      published(1555, 1592, 31),
      '1622.028986 1622.028986',
    ],
  ])('that %s', (_, changed, expected) => {
    expect(derived(ccl, books(), changed)).toBe(expected)
  })
})
