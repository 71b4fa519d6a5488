import { Big } from 'big.js'
import { expect, it } from 'vitest'
import { argentineDay, formatArgentine, MINUTE_MS } from '../../../../shared/argentine-time.ts'
import { PAIRS, pairKey } from '../../../../shared/market/catalog.ts'
import { marketAt, wholesaleRates } from '../../../../tools/operate/demo-market/market.ts'
import { documentAt } from '../../../../tools/operate/demo-market/documents.ts'
import { PRICE_SCALE } from '../../../../shared/market/price.ts'
import { pastOf } from '../../../../tools/operate/demo-market/past.ts'
import type { SourceResult } from '../../../../workers/scraper/collect/collect.ts'
import { deriveCandidates } from '../../../../workers/scraper/pairs/candidates.ts'
import { sourcesOf } from '../../../../workers/scraper/pairs/pair-sources.ts'
import { SOURCES } from '../../../../workers/scraper/sources/index.ts'
import { art } from '../../../support/instant.ts'

const instants = [
  '2026-11-20 12:00',
  '2026-11-21 03:15',
  '2026-11-23 11:30',
  '2026-12-31 23:59:59.999',
  '2027-01-01 00:00:00.000',
  '2027-03-01 09:30',
].map(art)

it.each(instants.map((now) => [formatArgentine(now), now] as const))(
  'answers every source in its own format at %s, and gives each source of each pair a value',
  (_, now) => {
    const results = askAll(now)

    for (const pair of PAIRS) {
      const { candidates, failed } = deriveCandidates(pair, results, context(now))
      const named = candidates.map(({ source }) => source)
      expect(failed, pairKey(pair)).toEqual([])
      expect(named, pairKey(pair)).toEqual(sourcesOf(pair).map(({ name }) => name))

      // All upstreams show one market: the sources of a pair agree as real ones do.
      const sells = candidates.map(({ sell }) => sell)
      expect(Math.max(...sells) / Math.min(...sells), pairKey(pair)).toBeLessThan(1.03)
      for (const { buy, sell } of candidates) expect(buy).toBeLessThanOrEqual(sell)
    }
  },
)

it('joins daily values, last week and present of each pair without a jump', () => {
  const now = art('2026-11-20 12:02')
  const past = pastOf(now)
  const week = past.filter(({ isClose }) => !isClose)
  const moments: typeof past = [...past, { at: now, isClose: false, quotes: marketAt(now) }]
  const present = askAll(now)

  for (const pair of PAIRS) {
    const key = pairKey(pair)
    const prices = moments.map(({ quotes }) => quotes[key]!.sell)
    const steps = prices.slice(1).map((price, index) => Math.abs(price / prices[index]! - 1))
    // Country risk moves a few points a day; the front contract changes once a month.
    expect(Math.max(...steps), key).toBeLessThan(key === 'ARG/RIESGO' ? 0.14 : 0.05)
    const different = new Set(prices.slice(-week.length)).size
    expect(different, key).toBeGreaterThan(3)
    if (['ARG/CER', 'ARG/UVA'].includes(key)) expect(different, key).toBeLessThan(9)
    expect(moments.every(({ quotes }) => quotes[key]!.buy <= quotes[key]!.sell)).toBe(true)

    // What a cycle reads from the documents.
    const [first] = deriveCandidates(pair, present, context(now)).candidates
    expect(first!.sell / PRICE_SCALE / prices.at(-1)!, key).toBeCloseTo(1, 2)
  }
})

it.each([
  ['2026-11-20 12:34', '2026-11-20 12:34'],
  ['2026-11-20 21:00', '2026-11-20 17:00'],
  ['2026-11-20 09:59', '2026-11-19 17:00'],
  // A Sunday, and the holiday after it.
  ['2026-11-22 12:34', '2026-11-20 17:00'],
  ['2026-11-23 12:34', '2026-11-20 17:00'],
])('has at %s the wholesale table that the bank printed at %s', (now, printed) => {
  const source = SOURCES.find(({ name }) => name === 'bna-personas')!
  const body = documentAt(`/${source.request(art(now)).url.slice(8)}`, art(now))
  const tables = source.parse(body!, art(now)).filter(({ kind }) => kind === 'wholesale')

  const { buy, sell } = wholesaleRates(marketAt(art(printed)))[0]!
  const [bought, sold] = [buy, sell].map((value) => String(Number(value.toFixed(4))))
  const dollar = { currency: 'USD', units: 1, buy: bought, sell: sold }
  expect(tables).toMatchObject([
    {
      day: printed.slice(0, 10),
      publishedAt: art(printed),
      rates: expect.arrayContaining([dollar]),
    },
  ])
})

it('moves the blue dollar at least once in every four ticks, of any length', () => {
  for (const tickMs of [2000, 15_000, 5 * MINUTE_MS]) {
    const start = art('2026-11-20 12:00')
    const blue = (tick: number) => marketAt(start + tick * tickMs, tickMs)['USD/BLUE'].sell
    const still = Array.from({ length: 200 }, (_, tick) =>
      [1, 2, 3, 4].every((later) => blue(tick) === blue(tick + later)),
    )
    expect(still, `${tickMs} ms`).not.toContain(true)
  }
})

function context(now: number) {
  return { now, tarjetaRate: new Big('0.30'), current: new Map() }
}

function askAll(now: number): SourceResult[] {
  return SOURCES.map((source) => {
    const { url } = source.request(now)
    const body = documentAt(`/${url.replace('https://', '')}`, now)
    if (body === null) throw new Error(`the market has no ${url} on ${argentineDay(now)}`)

    return { source: source.name, ok: true, readings: source.parse(body, now) }
  })
}
