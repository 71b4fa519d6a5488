import { Big } from 'big.js'
import { describe, expect, it } from 'vitest'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../../shared/argentine-time.ts'
import { quoteOfBank, medianOfExchanges } from '../../../../workers/scraper/pairs/derive/offers.ts'
import { sourceNamed } from '../../../../workers/scraper/sources/index.ts'
import type { Reading } from '../../../../workers/scraper/sources/source.ts'
import { document } from '../../../support/documents.ts'
import { derived, now } from './support.ts'

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
  it('of a recording judges ages against its youngest offer', () => {
    const from = sourceNamed('criptoya-usdt').parse(document('criptoya-usdt.json'), now)
    const years = { now: now + 1000 * DAY_MS, tarjetaRate: new Big(0.3), current: new Map() }

    expect(medianOfExchanges(from, years)).toBeNull()
    const replayed = medianOfExchanges(from, { ...years, replayed: true })!
    expect(`${replayed.buy} ${replayed.sell}`).toBe('1498 1515.5')
  })

  it('takes the mean of the middle two of an even number', () => {
    expect(derived(medianOfExchanges, offers([...THREE, { ask: 1506, bid: 1486 }]))).toBe(
      '1486.5 1505.5',
    )
  })

  it.each<[string, Row, string]>([
    ['no ask', { ask: 0, bid: 1489 }, '1487 1505'],
    ['no bid', { ask: 1501, bid: 0 }, '1487 1505'],
    ['ask under bid', { ask: 1480, bid: 1490 }, '1487 1505'],
    ['an ask 3.1 % off', { ask: 1553, bid: 1488 }, '1487 1505'],
    ['a bid 3.1 % off', { ask: 1504, bid: 1438 }, '1487 1505'],
    [
      'a time over 15 minutes ago',
      { ask: 1501, bid: 1489, ageMs: 15 * MINUTE_MS + 1 },
      '1487 1505',
    ],
    ['a time to come', { ask: 1501, bid: 1489, ageMs: -MINUTE_MS - 1 }, '1487 1505'],
  ])('drops an exchange with %s', (_, row, expected) => {
    expect(derived(medianOfExchanges, offers([...THREE, row]))).toBe(expected)
  })

  it.each([
    ['15 minutes ago', 15 * MINUTE_MS],
    ['some seconds ahead', -30 * SECOND_MS],
  ])('counts a time of %s', (_, ageMs) => {
    const rows = [...THREE, { ask: 1502, bid: 1489, ageMs }]
    expect(derived(medianOfExchanges, offers(rows))).toBe('1487.5 1503.5')
  })

  it('is none with fewer than three', () => {
    expect(derived(medianOfExchanges, offers(THREE.slice(1)))).toBeNull()
    expect(
      derived(
        medianOfExchanges,
        offers([THREE[0]!, { ask: 1504, bid: 1488 }, { ask: 1700, bid: 1400 }]),
      ),
    ).toBeNull()
    expect(derived(medianOfExchanges, [])).toBeNull()
  })
})

it('a bank that the document lacks, or that spoke long ago, has no quote', () => {
  const from = sourceNamed('criptoya-bancos').parse(document('criptoya-bancos.json'), now)
  expect(derived(quoteOfBank('bapro'), from)).toBeNull()
  expect(derived(quoteOfBank('otro'), from)).toBeNull()
})
