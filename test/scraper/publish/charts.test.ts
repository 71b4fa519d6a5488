import { describe, expect, it } from 'vitest'
import { type Day, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { findPairByKey, type PairKey, PAIRS } from '../../../shared/market/catalog.ts'
import {
  closesKey,
  MONTH_CLOSES,
  MONTH_KEY,
  parseCloses,
  parseMonth,
  parseRecent,
  RECENT_KEY,
} from '../../../shared/board/charts.ts'
import { rebuildCandles } from '../../../shared/db/quotes/candles.ts'
import { DRAWN_AT_ONCE } from '../../../shared/db/quotes/charts.ts'
import { type CycleEnv, runCycle } from '../../../workers/scraper/cycle.ts'
import { cycleDeps } from '../../support/cycle-deps.ts'
import { env } from '../../support/env.ts'
import { art } from '../../support/instant.ts'
import { type Market, marketFetch } from '../../support/market.ts'
import { measuredDatabase } from '../../support/measured-database.ts'
import { fromNumbers, insertRows } from '../../../tools/prove/harness/rows.ts'
import { insertRow } from '../../support/rows.ts'

const MONDAY = art('2026-03-02 12:00')
const TUESDAY = art('2026-03-03 12:00')
const later = (from: Instant, cycles: number) => from + cycles * 5 * MINUTE_MS
const blue = findPairByKey('usd/blue')!

/** A cycle, with what it asked of D1 and KV. */
async function cycle(at: Instant, market: Market, failing: (key: string) => boolean = () => false) {
  const { db: DB, spent } = measuredDatabase()
  const [puts, gets]: string[][] = [[], []]
  const BOARD = {
    get: (key: string, options: KVNamespaceGetOptions<'text'>) => {
      gets!.push(key)
      return env.BOARD.get(key, options)
    },
    put: (key: string, value: string) => {
      puts!.push(key)
      return failing(key) ? Promise.reject(new Error('KV failed')) : env.BOARD.put(key, value)
    },
  } as unknown as KVNamespace
  const deps = cycleDeps({ now: () => at, fetch: marketFetch(market) })
  const report = await runCycle({ ...env, DB, BOARD } as CycleEnv, deps, at)
  expect(report.outcome).toBe('recorded')
  return { puts: puts!, gets: gets!, ...spent() }
}

const closesOf = async (key: PairKey) =>
  parseCloses(await env.BOARD.get(closesKey(findPairByKey(key)!)))?.closes
const closes = () => closesOf('USD/BLUE')
const month = async () => parseMonth(await env.BOARD.get(MONTH_KEY))?.closes
const recent = async () => parseRecent(await env.BOARD.get(RECENT_KEY))?.points['USD/BLUE']
const dayNumber = (day: Day) => Date.parse(day) / 86_400_000
const minute = (at: Instant) => at / MINUTE_MS

describe('the points of the last day', () => {
  it('are written when a value changed, and never else', async () => {
    const first = await cycle(MONDAY, { blue: [1410, 1430] })
    expect(first.puts.toSorted()).toEqual(['board', RECENT_KEY])
    const quiet = await cycle(later(MONDAY, 1), { blue: [1410, 1430] })
    expect(quiet).toMatchObject({ puts: ['board'], gets: [] })
    await cycle(later(MONDAY, 2), { blue: [1415, 1435] })

    expect(await recent()).toEqual([
      [minute(MONDAY), 14_300_000],
      [minute(later(MONDAY, 2)), 14_350_000],
    ])
  })

  it('are made good by the next change when KV failed', async () => {
    await cycle(MONDAY, { blue: [1410, 1430] }, () => true)
    expect(await recent()).toBeUndefined()
    await cycle(later(MONDAY, 1), { blue: [1415, 1435] })

    expect(await recent()).toEqual([
      [minute(MONDAY), 14_300_000],
      [minute(later(MONDAY, 1)), 14_350_000],
    ])
  })
})

describe('the closes of past days', () => {
  it('are written once, in the first cycle after a day with a change closed', async () => {
    await cycle(MONDAY, { blue: [1410, 1430] })
    await cycle(later(MONDAY, 1), { blue: [1415, 1435] })
    expect(await closes()).toBeUndefined()

    const first = await cycle(TUESDAY, { blue: [1415, 1435] })
    expect(first.puts.toSorted()).toEqual(['board', closesKey(blue), MONTH_KEY])
    expect(await closes()).toEqual([[dayNumber('2026-03-02'), 14_350_000, 14_150_000]])
    expect(await month()).toEqual({ 'USD/BLUE': [[dayNumber('2026-03-02'), 14_350_000]] })

    const second = await cycle(later(TUESDAY, 1), { blue: [1415, 1435] })
    expect(second.puts).toEqual(['board'])
    // Wednesday: Tuesday had no change, so there is nothing new to show.
    const third = await cycle(art('2026-03-04 12:00'), { blue: [1415, 1435] })
    expect(third.puts).toEqual(['board'])
  })

  it('are written again when history is changed, by import or by hand', async () => {
    await cycle(MONDAY, { blue: [1410, 1430] })
    await cycle(TUESDAY, { blue: [1410, 1430] })
    const point = { pair: blue.id, at: art('2026-02-27 15:00'), source: 'import' }
    await insertRow('points', { ...point, buy: 13_000_000, sell: 13_100_000 })
    await rebuildCandles(env.DB, blue, '2026-02-27', '2026-02-27')

    await cycle(later(TUESDAY, 1), { blue: [1410, 1430] })
    expect(await closes()).toEqual([
      [dayNumber('2026-02-27'), 13_100_000, 13_000_000],
      [dayNumber('2026-03-02'), 14_300_000, 14_100_000],
    ])
    expect((await cycle(later(TUESDAY, 2), { blue: [1410, 1430] })).puts).toEqual(['board'])
  })

  it('are tried again when KV failed', async () => {
    await cycle(MONDAY, { blue: [1410, 1430] })
    await cycle(TUESDAY, { blue: [1410, 1430] }, () => true)
    expect(await closes()).toBeUndefined()

    await cycle(later(TUESDAY, 1), { blue: [1410, 1430] })
    expect(await closes()).toHaveLength(1)
  })

  it('never put more than a few documents into one cycle, nor a fourth round trip, and then cost a few rows a pair', async () => {
    await cycle(MONDAY, { blue: [1410, 1430] })
    for (const pair of PAIRS) await seedDays(pair.id, 300)

    const written = new Set<PairKey>()
    for (let i = 0; i < 6; i++) {
      const { roundTrips, puts } = await cycle(later(TUESDAY, i), { blue: [1410, 1430] })
      expect(roundTrips).toBeLessThanOrEqual(3)
      const drawn = puts.filter((key) => key !== 'board' && key !== MONTH_KEY)
      expect(drawn.length).toBeLessThanOrEqual(DRAWN_AT_ONCE)
      for (const key of drawn) written.add(key as PairKey)
    }
    expect(written.size).toBe(PAIRS.length)
    const last = await month()
    expect(Object.keys(last!)).toHaveLength(PAIRS.length)
    expect(last!['EUR/BLUE']).toHaveLength(MONTH_CLOSES)
    expect(last!['EUR/BLUE']!.at(-1)![0]).toBe((await closesOf('EUR/BLUE'))!.at(-1)![0])

    const quiet = await cycle(later(TUESDAY, 6), { blue: [1410, 1430] })
    expect(quiet).toMatchObject({ roundTrips: 3, puts: ['board'] })
    expect(quiet.rowsRead).toBeLessThanOrEqual(8 * PAIRS.length)
  })

  it('say how far a day went where it went beyond its close and the one before', async () => {
    await cycle(MONDAY, { blue: [1410, 1430] })
    await cycle(later(MONDAY, 1), { blue: [1480, 1500] })
    await cycle(later(MONDAY, 2), { blue: [1415, 1435] })
    await cycle(TUESDAY, { blue: [1415, 1435] })
    expect(await closes()).toEqual([
      [dayNumber('2026-03-02'), 14_350_000, 14_150_000, 15_000_000, 14_300_000],
    ])
  })

  it('are drawn again when the document of all pairs failed', async () => {
    await cycle(MONDAY, { blue: [1410, 1430] })
    await cycle(TUESDAY, { blue: [1410, 1430] }, (key) => key === MONTH_KEY)
    expect(await month()).toBeUndefined()

    await cycle(later(TUESDAY, 1), { blue: [1410, 1430] })
    expect(Object.keys((await month())!)).toEqual(['USD/BLUE'])
  })
})

/** A quoted pair with so many closed days behind it. */
async function seedDays(pair: number, days: number): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      insertRows('current_quotes', { pair: '?' }, 'where true on conflict do nothing'),
    ).bind(pair),
    env.DB.prepare(
      insertRows(
        'daily_candles',
        { pair: '?1', day: `date('2025-01-01', (i - 1) || ' days')` },
        fromNumbers('?2'),
      ),
    ).bind(pair, days),
  ])
}
