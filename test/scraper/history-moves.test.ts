import { afterEach, describe, expect, it } from 'vitest'
import {
  type Day,
  dayEnd,
  formatArgentine,
  type Instant,
  MINUTE_MS,
} from '../../shared/argentine-time.ts'
import { readRecent } from '../../workers/site/pair/read-charts.ts'
import { boardFromDatabase } from '../../shared/db/quotes/quotes.ts'
import { correctPoint } from '../../tools/operate/import/corrections.ts'
import { quotesAsOf } from '../../shared/db/quotes/points.ts'
import { numberToPrice } from '../../shared/market/price.ts'
import type { Kind } from '../../tools/operate/import/formats.ts'
import { importSeries } from '../../tools/operate/import/import-series.ts'
import { aroundBatch } from '../support/faulty-database.ts'
import { NOON, blue, cycleAt, later, shownBlue } from '../support/cycle-deps.ts'
import { env } from '../support/env.ts'
import { expectSoundQuotes } from '../support/sound.ts'
import { art } from '../support/instant.ts'
import { type Market, marketFetch } from '../support/market.ts'
import { readRows } from '../support/rows.ts'

/** Runs a cycle; `meanwhile` runs between its read and its write. */
async function cycle(at: Instant, sell: number, meanwhile?: () => Promise<unknown>) {
  const market = marketFetch(sell)
  let happened: Promise<unknown> | undefined
  const fetch: typeof globalThis.fetch = async (...request) => {
    await (happened ??= meanwhile?.())
    return market(...request)
  }
  return cycleAt(at, fetch)
}

const importCloses = (...closes: [day: Day, sell: number][]) =>
  importRows(
    'daily',
    closes.map(([day, sell]) => [dayEnd(day), sell]),
  )

async function importRows(kind: Kind, values: [at: Instant, sell: number][], db = env.DB) {
  const rows = values.map(([at, sell]) => {
    return { at, buy: numberToPrice(sell - 20), sell: numberToPrice(sell) }
  })
  await importSeries(
    db,
    { kind, source: kind === 'daily' ? 'import:argentinadatos-dolares' : 'import:csv' },
    { pair: blue, rows },
  )
}

const takeAway = (at: Instant) =>
  correctPoint(env.DB, { pair: blue, at, reason: 'a test', now: at })

const current = () =>
  env.DB.prepare(
    `select sell / 10000 as sell, updated_at as updatedAt, reference_sell / 10000 as reference
     from current_quotes where pair = ?`,
  )
    .bind(blue.id)
    .first()

const candle = () =>
  env.DB.prepare(
    `select open / 10000 as open, high / 10000 as high, low / 10000 as low, close / 10000 as close,
       buy_open / 10000 as buyOpen, buy_high / 10000 as buyHigh, buy_low / 10000 as buyLow
     from daily_candles where pair = ? and day = '2026-03-02'`,
  )
    .bind(blue.id)
    .first()

async function points(): Promise<[at: number, sell: number][]> {
  return (await readRows('points')).map(({ at, sell }) => [at, sell / 10_000])
}

afterEach(() => expectSoundQuotes(later(12)))

describe('history that is changed while a cycle runs', () => {
  it("a pair's only value that is taken away does not come back", async () => {
    await cycle(NOON, 1430)
    await cycle(later(1), 1430, () => takeAway(NOON))
    expect(await current()).toBeNull()
    await cycle(later(2), 1430)
    expect(await current()).toMatchObject({ sell: 1430, updatedAt: later(2) })
  })

  it("a pair's only value that is taken away is in no candle when the cycle finds another one", async () => {
    await cycle(NOON, 1400)
    await cycle(later(1), 1430, () => takeAway(NOON))
    expect(await candle()).toMatchObject({ open: 1430, high: 1430, low: 1430, buyOpen: 1410 })
  })

  it.each<[string, known: number[], found: number, day: object | null]>([
    ['a value that the cycle confirms', [1430], 1430, null],
    ['a value that the cycle finds', [1430], 1440, { low: 1410, high: 1440, close: 1440 }],
    ["a pair's first value", [], 1430, { low: 1410, high: 1430, buyLow: 1390, buyHigh: 1410 }],
  ])("yesterday's close that is imported is the reference of %s", async (_, known, found, day) => {
    for (const sell of known) await cycle(NOON, sell)
    await cycle(later(1), found, () => importCloses(['2026-03-01', 1410]))
    expect(await current()).toMatchObject({ sell: found, reference: 1410 })
    if (day) expect(await candle()).toMatchObject({ open: 1410, buyOpen: 1390, ...day })
  })

  it('a pair that begins from an imported value does not overlook a later close that is imported meanwhile', async () => {
    await importCloses(['2026-02-27', 1430])
    await cycle(NOON, 1430, () => importCloses(['2026-03-01', 1410]))
    expect(await current()).toBeNull()
    await cycle(later(1), 1430)
    expect(await current()).toMatchObject({ sell: 1430, updatedAt: later(1), reference: 1410 })
  })
})

describe('a value that a cycle confirms as it was imported', () => {
  const CONFIRMED = { sell: 1430, updatedAt: dayEnd('2026-02-27') }

  const since = art('2026-02-27 17:00')

  it.each<[string, kind: Kind, at: Instant, sell: number, updatedAt: Instant]>([
    ['is recorded live from there on', 'daily', dayEnd('2026-03-02'), 1500, CONFIRMED.updatedAt],
    ['keeps its point beside another hour of its day', 'timed', since, 1440, CONFIRMED.updatedAt],
    ['is as old as hourly data has the same value', 'timed', since, 1430, since],
  ])('%s', async (_, kind, at, sell, updatedAt) => {
    await importCloses(['2026-02-27', 1430])
    await cycle(NOON, 1430)
    await importRows(kind, [[at, sell]])
    expect(await current()).toMatchObject({ sell: 1430, updatedAt })
    expect(await quotesAsOf(env.DB, [blue], later(1000))).toMatchObject({
      quotes: [{ at: updatedAt, sell: numberToPrice(1430) }],
    })
  })

  it.each([
    ['a later close', 'daily', art('2026-03-01 23:59:59.999')],
    ['an hour of its day', 'timed', since],
  ] as const)('stays although %s is being imported', async (_, kind, at) => {
    await importCloses(['2026-02-27', 1430])
    let batches = 0
    const db = aroundBatch(async (run) => {
      // The first batch read the stored state.
      if (++batches === 2) await cycle(NOON, 1430)
      return run()
    })
    await importRows(kind, [[at, 1440]], db)
    expect(batches).toBeGreaterThan(1)
    expect(await current()).toMatchObject(CONFIRMED)
  })
})

it('a history that is imported after the first cycle has one point for the value that both have', async () => {
  await cycleAt(NOON, 1430)
  const since = dayEnd('2026-03-01')
  for (const round of [1, 2]) {
    await importCloses(['2026-02-27', 1400], ['2026-03-01', 1430])
    expect(await points(), `${round}`).toEqual([
      [dayEnd('2026-02-27'), 1400],
      [since, 1430],
    ])
  }
  expect(await readRows('dailyCandles', { day: '2026-03-02' })).toEqual([])

  await cycleAt(later(1), 1430)
  expect(await shownBlue()).toMatchObject({
    updatedAt: formatArgentine(since),
    referenceSell: 1400,
  })
})

describe('the first cycle of a pair that has imported points', () => {
  it('makes no point of a value that the import has, and confirms that value', async () => {
    await importCloses(['2026-02-27', 1400], ['2026-03-01', 1430])
    expect(await cycleAt(NOON, 1430)).toMatchObject({ changed: [], held: [] })

    expect(await points()).toEqual([
      [dayEnd('2026-02-27'), 1400],
      [dayEnd('2026-03-01'), 1430],
    ])
    expect(await shownBlue()).toMatchObject({
      sell: 1430,
      updatedAt: formatArgentine(dayEnd('2026-03-01')),
      lastScrapedAt: formatArgentine(NOON),
      referenceSell: 1400,
      source: 'ambito-blue',
    })
  })

  it.each<[string, [Day, number][], held: boolean]>([
    ['yesterday', [['2026-03-01', 1330]], true],
    ['eight days ago', [['2026-02-21', 1330]], false],
    [
      'twenty days ago, but said again yesterday',
      [
        ['2026-02-10', 1330],
        ['2026-03-01', 1330],
      ],
      true,
    ],
  ])('judges a jump from a value of %s by the age of that value', async (_, closes, held) => {
    await importCloses(...closes)
    const lone: Market = { blue: [1410, 1430], dead: ['dolarhoy.com'] }
    expect(await cycleAt(NOON, lone)).toMatchObject(
      held ? { changed: [], held: ['USD/BLUE'] } : { changed: ['USD/BLUE'], held: [] },
    )
    expect((await shownBlue())?.sell).toBe(held ? undefined : 1430)
  })

  it('holds a value that is an order of magnitude away from a value of some weeks ago', async () => {
    await importCloses(['2026-01-20', 14_300])
    expect(await cycleAt(NOON, { blue: [1410, 1430], dead: ['dolarhoy.com'] })).toMatchObject({
      changed: [],
      held: ['USD/BLUE'],
    })
  })

  it('leaves a pair unquoted that no source gives, also in a board made from the database', async () => {
    await importCloses(['2026-03-01', 1420])
    await cycleAt(NOON, { blue: [1410, 1430], dead: ['mercados.ambito.com', 'dolarhoy.com'] })

    expect(await shownBlue()).toBeUndefined()
    expect((await boardFromDatabase(env.DB, NOON)).quotes).toEqual([])
  })

  it('publishes its recent points, although nothing changed', async () => {
    await importCloses(['2026-02-27', 1400], ['2026-03-01', 1430])
    await cycleAt(NOON, 1430)

    expect((await readRecent(env.BOARD))['USD/BLUE']).toEqual([
      [Math.floor(dayEnd('2026-02-27') / 60_000), 14_000_000],
      [Math.floor(dayEnd('2026-03-01') / 60_000), 14_300_000],
    ])
  })
})

it('the recent points begin with the value in effect a day ago, and have at most one point in five minutes', async () => {
  await importRows('timed', [
    [art('2026-02-28 12:00'), 1410],
    [art('2026-03-01 11:00'), 1415],
    [art('2026-03-02 11:00'), 1420],
    [art('2026-03-02 11:02'), 1425],
  ])
  await cycleAt(NOON, 1430)

  expect((await readRecent(env.BOARD))['USD/BLUE']).toEqual(
    [
      [art('2026-03-01 11:00'), 14_150_000],
      [art('2026-03-02 11:02'), 14_250_000],
      [NOON, 14_300_000],
    ].map(([at, sell]) => [at! / MINUTE_MS, sell]),
  )
})
