/** The rules that derive a quote from bonds, exchanges and banks. */
import { Big } from 'big.js'
import { describe, expect, it } from 'vitest'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../shared/argentine-time.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { bondRatio } from '../../../workers/scraper/pairs/derive/bonds.ts'
import { medianOfExchanges, quoteOfBank } from '../../../workers/scraper/pairs/derive/offers.ts'
import type { Derivation, DeriveContext } from '../../../workers/scraper/pairs/derivation.ts'
import { sourceNamed } from '../../../workers/scraper/sources/index.ts'
import type { Reading } from '../../../workers/scraper/sources/source.ts'
import { document } from '../../support/documents.ts'
import { art } from '../../support/instant.ts'

const now = art('2026-03-04 15:55')
const CONTEXT: DeriveContext = { now, tarjetaRate: new Big('0.30'), current: new Map() }

/** "buy sell" to six decimals, or null. */
function derived(
  derive: Derivation,
  readings: readonly Reading[],
  changed: Partial<DeriveContext> = {},
): string | null {
  const quote = derive(readings, { ...CONTEXT, ...changed })
  return quote && `${quote.buy.round(6)} ${quote.sell.round(6)}`
}

type Sides = [last: number | null, bid: number | null, ask: number | null]

/** The books of 28 September 2026, with the changes of the test. */
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

/** The results of the recorded books. */
const MEP = '1554.011488 1555.596738'
const LAST_TRADES = '1555.308505 1555.308505'
const CCL = '1622.028986 1622.028986'

/** The other bond at a price in pesos, with one of its other legs. */
const checked = (pesos: number, leg: 'GD30D' | 'GD30C', price: number): Record<string, Sides> => ({
  GD30: [pesos, null, null],
  [leg]: [price, null, null],
})

it.each<[what: string, changed: Record<string, Sides>, expected: string | null]>([
  ['what the books of the two legs give, as on 28 September 2026', {}, MEP],
  ['the ratio of the last trades without a side', { AL30: [83_940, null, null] }, LAST_TRADES],
  ['the ratio of the last trades with a wide book', { AL30D: [53.97, 53, 54.5] }, LAST_TRADES],
  ['of the books before the first trade of the day', { AL30: [null, 83_870, 83_940] }, MEP],
  ['none without books and trades', { AL30D: [null, null, null] }, null],
  ['within 2 % of the other bond', checked(85_000, 'GD30D', 54), MEP],
  ['none over 2 % above the other bond', checked(82_000, 'GD30D', 54), null],
  ['none over 2 % under the other bond', checked(86_000, 'GD30D', 54), null],
])('MEP is %s', (_, changed, expected) => {
  expect(derived(bondRatio('mep'), books(changed))).toBe(expected)
})

it.each<
  [string, Record<string, Sides>, expected: string | null, published?: Partial<DeriveContext>]
>([
  ['the ratio of the last trades, whatever the thin cable book says', {}, CCL],
  ['none when the cable leg has not traded today', { AL30C: [null, 51.75, 52.99] }, null],
  ['none over 1 % under MEP', { AL30C: [54.6, null, null] }, null],
  ['any value down to that', { AL30C: [54.4, null, null] }, '1543.014706 1543.014706'],
  ['none apart from the other bond in cable', checked(86_000, 'GD30C', 51), null],
  ['none when it moved 1.9 % while MEP stood', {}, null, published(1555, 1592)],
  ['any value that moved 1.4 % while MEP stood', {}, CCL, published(1555, 1600)],
  ['any value that moved with MEP', {}, CCL, published(1520, 1592)],
  ['any value without a fresh one to be measured from', {}, CCL, published(1555, 1592, 31)],
])('CCL is %s', (_, changed, expected, context) => {
  expect(derived(bondRatio('ccl'), books(changed), context)).toBe(expected)
})

interface Row {
  ask: number
  bid: number
  fee?: number
  ageMs?: number
}

function offers(rows: Row[]): Reading[] {
  return rows.map(({ ask, bid, fee = 0, ageMs = 0 }, index) => ({
    kind: 'offer',
    by: `exchange ${index}`,
    ask: new Big(ask),
    bid: new Big(bid),
    totalAsk: new Big(ask + fee),
    totalBid: new Big(bid - fee),
    time: now - ageMs,
  }))
}

const THREE: Row[] = [
  { ask: 1500, bid: 1490, fee: 2 },
  { ask: 1510, bid: 1480 },
  { ask: 1504, bid: 1488, fee: 1 },
]

describe('the cripto dollar', () => {
  it('measures the ages in a recording from its newest offer', () => {
    const from = sourceNamed('criptoya-usdt').parse(document('criptoya-usdt.json'), now)
    const years = { now: now + 1000 * DAY_MS }
    expect(derived(medianOfExchanges, from, years)).toBeNull()
    expect(derived(medianOfExchanges, from, { ...years, replayed: true })).toBe('1498 1515.5')
  })

  it('is the mean of the middle two offers of an even number', () => {
    expect(derived(medianOfExchanges, offers([...THREE, { ask: 1506, bid: 1486 }]))).toBe(
      '1486.5 1505.5',
    )
  })

  it.each<[string, Row]>([
    ['no ask', { ask: 0, bid: 1489 }],
    ['no bid', { ask: 1501, bid: 0 }],
    ['ask under bid', { ask: 1480, bid: 1490 }],
    ['an ask 3.1 % off', { ask: 1553, bid: 1488 }],
    ['a bid 3.1 % off', { ask: 1504, bid: 1438 }],
    ['a time over 15 minutes ago', { ask: 1501, bid: 1489, ageMs: 15 * MINUTE_MS + 1 }],
    ['a time to come', { ask: 1501, bid: 1489, ageMs: -MINUTE_MS - 1 }],
  ])('drops an exchange with %s', (_, row) => {
    expect(derived(medianOfExchanges, offers([...THREE, row]))).toBe('1487 1505')
  })

  it.each([
    ['15 minutes ago', 15 * MINUTE_MS],
    ['some seconds ahead', -30 * SECOND_MS],
  ])('counts a time of %s', (_, ageMs) => {
    const rows = [...THREE, { ask: 1502, bid: 1489, ageMs }]
    expect(derived(medianOfExchanges, offers(rows))).toBe('1487.5 1503.5')
  })

  it('has no quote with fewer than three exchanges', () => {
    expect(derived(medianOfExchanges, offers(THREE.slice(1)))).toBeNull()
    const wide = [THREE[0]!, { ask: 1504, bid: 1488 }, { ask: 1700, bid: 1400 }]
    expect(derived(medianOfExchanges, offers(wide))).toBeNull()
    expect(derived(medianOfExchanges, [])).toBeNull()
  })
})

it('a bank that the document lacks, or whose quote is old, has no quote', () => {
  const from = sourceNamed('criptoya-bancos').parse(document('criptoya-bancos.json'), now)
  expect(derived(quoteOfBank('bapro'), from)).toBeNull()
  expect(derived(quoteOfBank('otro'), from)).toBeNull()
})
