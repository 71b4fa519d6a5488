import { describe, expect, it } from 'vitest'
import { findPairByKey, type PairKey } from '../../../shared/market/catalog.ts'
import type { CycleRecord } from '../../../shared/db/quotes/cycle-record.ts'
import {
  closeCycle,
  LEASE_MS,
  LeaseLost,
  openCycle,
  recordCycle,
} from '../../../workers/scraper/db/cycles.ts'
import type { CurrentQuote } from '../../../shared/db/quotes/quotes.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { env } from '../../support/env.ts'
import { art } from '../../support/instant.ts'
import { readRows } from '../../support/rows.ts'

const NOON = art('2026-03-02 12:00')

const open = (token: string, now = NOON, scheduledAt = now) =>
  openCycle(env.DB, { token, now, scheduledAt, mode: 'live' })

describe('the lease of a cycle', () => {
  it('is taken by exactly one of many at once', async () => {
    const opened = await Promise.all(Array.from({ length: 20 }, (_, i) => open(`cycle-${i}`)))
    expect(opened.filter((state) => state !== null)).toHaveLength(1)
  })

  it('is free again when released, and when expired', async () => {
    await open('a')
    expect(await open('b', NOON + 1)).toBeNull()
    await closeCycle(env.DB, 'a')
    expect(await open('b', NOON + 1)).not.toBeNull()
    expect(await open('c', NOON + LEASE_MS)).toBeNull()
    expect(await open('c', NOON + 1 + LEASE_MS)).not.toBeNull()
  })

  it('is not released by another cycle', async () => {
    await open('a')
    await closeCycle(env.DB, 'b')
    expect(await open('b', NOON + 1)).toBeNull()
  })

  it('left by a clock that ran ahead counts as expired', async () => {
    await open('a', NOON + 24 * 3_600_000, NOON)
    expect(await open('b', NOON + 1)).not.toBeNull()
  })

  it('refuses a cycle that was recorded, and an older one', async () => {
    await open('a')
    await record(recordOf('a'))
    await closeCycle(env.DB, 'a')

    expect(await open('b', NOON + 5000, NOON)).toBeNull()
    expect(await open('b', NOON + 5000, NOON - 300_000)).toBeNull()
    expect(await open('b', NOON + 300_000)).not.toBeNull()
  })

  it('lets a cycle that ended before recording run again', async () => {
    await open('a')
    expect(await open('b', NOON + LEASE_MS, NOON)).not.toBeNull()
  })
})

describe('the record of a cycle', () => {
  it('writes point, current quote, candle and memory together', async () => {
    await open('a')
    await record(recordOf('a', [aQuote('USD/BLUE', 1430)]))

    expect(await readRows('points')).toEqual([
      { pair: 3, at: NOON, buy: 14_100_000, sell: 14_300_000, source: 'ambito-blue' },
    ])
    expect(await readRows('dailyCandles')).toMatchObject([
      { day: '2026-03-02', open: 14e6 + 3e5, high: 14e6 + 3e5, low: 14e6 + 3e5, close: 14e6 + 3e5 },
    ])
    await closeCycle(env.DB, 'a')

    const state = await open('b', NOON + 300_000)
    expect(state).toMatchObject({ guard: '{"g":1}', sources: '{"s":1}' })
    expect(state?.quotes).toEqual([aQuote('USD/BLUE', 1430)])
  })

  it('of a cycle that was overtaken writes nothing at all', async () => {
    await open('a')
    await open('b', NOON + LEASE_MS)

    await expect(record(recordOf('a', [aQuote('USD/BLUE', 1430)]))).rejects.toThrow(LeaseLost)
    for (const table of ['points', 'current_quotes', 'daily_candles', 'scraper_state']) {
      expect(await count(table)).toBe(0)
    }
  })

  it('is all or nothing: a failing statement of the outbox rolls the rest back', async () => {
    await open('a')
    const failing = env.DB.prepare('insert into points (pair, at) values (1, 1)')

    await expect(
      recordCycle(env.DB, recordOf('a', [aQuote('USD/BLUE', 1430)]), [failing]),
    ).rejects.toThrow('NOT NULL')
    expect(await count('points')).toBe(0)
    expect(await count('current_quotes')).toBe(0)
  })

  it('keeps a candle of every change of the day', async () => {
    let previous: CurrentQuote | null = null
    for (const [i, sell] of [1430, 1450, 1410, 1440].entries()) {
      const at = NOON + i * 300_000
      const quote = { ...aQuote('USD/BLUE', sell), updatedAt: at }
      await open(`${i}`, at)
      await record({
        ...recordOf(`${i}`),
        at,
        scheduledAt: at,
        quotes: [quote],
        changes: [{ quote, previous }],
      })
      await closeCycle(env.DB, `${i}`)
      previous = quote
    }
    expect(await readRows('dailyCandles')).toMatchObject([
      { open: 143e5, high: 145e5, low: 141e5, close: 144e5 },
    ])
  })

  it('opens the next day’s candle at the value in effect before it', async () => {
    const yesterday = aQuote('USD/BLUE', 1400)
    await open('a')
    await record(recordOf('a', [yesterday]))
    await closeCycle(env.DB, 'a')

    const at = art('2026-03-03 10:00')
    await open('b', at)
    await record({
      ...recordOf('b'),
      at,
      scheduledAt: at,
      changes: [{ quote: aQuote('USD/BLUE', 1430), previous: yesterday }],
    })
    expect(await readRows('dailyCandles', { day: '2026-03-03' })).toMatchObject([
      { open: 140e5, low: 140e5 },
    ])
  })
})

function aQuote(key: PairKey, sell: number): CurrentQuote {
  return {
    pair: findPairByKey(key)!,
    buy: numberToPrice(1410),
    sell: numberToPrice(sell),
    source: 'ambito-blue',
    updatedAt: NOON,
    lastScrapedAt: NOON,
    referenceSell: null,
  }
}

function recordOf(token: string, quotes: CurrentQuote[] = []): CycleRecord {
  return {
    token,
    historyRevision: undefined,
    scheduledAt: NOON,
    at: NOON,
    quotes,
    otherSource: [],
    changes: quotes.map((quote) => ({ quote, previous: null })),
    begun: [],
    quarantine: [],
    guard: '{"g":1}',
    sources: '{"s":1}',
    summary: { at: NOON, everySeconds: 300, anySourceAnswered: true },
    availability: [],
  }
}

const record = (cycle: CycleRecord) => recordCycle(env.DB, cycle, [])

async function count(table: string): Promise<unknown> {
  return env.DB.prepare(`select count(*) as n from ${table}`).first('n')
}
