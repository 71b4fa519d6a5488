import { Big } from 'big.js'
import { expect, it } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../../../shared/argentine-time.ts'
import { PAIRS, pairKey } from '../../../../shared/market/catalog.ts'
import { marketAt } from '../../../../tools/operate/demo-market/market.ts'
import { pastDays, pastWeek, quotesOf } from '../../../../tools/operate/demo-market/past.ts'
import { documentAt } from '../../../../tools/operate/demo-market/server.ts'
import type { SourceResult } from '../../../../workers/scraper/collect/collect.ts'
import { deriveCandidates } from '../../../../workers/scraper/pairs/derive.ts'
import { SOURCES } from '../../../../workers/scraper/sources/index.ts'
import { art } from '../../../support/instant.ts'

const options = { seed: 7, stepMs: 5 * MINUTE_MS }
const now = art('2026-11-20 12:02')

const instants = [0, 1, 2, 5, 90, 400, 729].map((days) => now - days * DAY_MS - days * MINUTE_MS)

it.each(instants)('is what a cycle would have recorded at %i, to the cent', (at) => {
  const results = SOURCES.map((source): SourceResult => {
    const body = documentAt(`/${source.request(at).url.slice(8)}`, at, options)
    return { source: source.name, ok: true, readings: source.parse(body!, at) }
  })
  const context = { now: at, tarjetaRate: new Big('0.30'), current: new Map() }
  const quotes = quotesOf(marketAt(at, options))

  for (const pair of PAIRS) {
    const [first] = deriveCandidates(pair, results, context).candidates
    expect(quotes.get(pair), pairKey(pair)).toEqual({ buy: first!.buy, sell: first!.sell })
  }
})

it('joins its days, its week and its present without a jump, every pair', () => {
  const days = pastDays(now, options)
  const week = pastWeek(now, options)
  const present = quotesOf(marketAt(now, options))

  for (const pair of PAIRS) {
    const before = days.get(pair)!.filter(({ at }) => at < week.get(pair)![0]!.at)
    const prices = [...before, ...week.get(pair)!, present.get(pair)!].map(({ sell }) => sell)
    const steps = prices.slice(1).map((price, index) => Math.abs(price / prices[index]! - 1))
    // Country risk is points, a few of them a day; the front contract rolls once a month.
    const most = pairKey(pair) === 'ARG/RIESGO' ? 0.14 : 0.05
    expect(Math.max(...steps), pairKey(pair)).toBeLessThan(most)
    expect(prices.every((price) => price > 0)).toBe(true)
    expect([...before, ...week.get(pair)!].every(({ buy, sell }) => buy <= sell)).toBe(true)
  }
})
