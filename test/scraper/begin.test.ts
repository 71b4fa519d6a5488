import { describe, expect, it } from 'vitest'
import { dayEnd, type Day, formatArgentine } from '../../shared/argentine-time.ts'
import { BOARD_KEY, parseBoard } from '../../shared/board/board.ts'
import { parseRecent, RECENT_KEY } from '../../shared/board/charts.ts'
import { boardFromDatabase } from '../../shared/db/quotes/board-fallback.ts'
import { numberToPrice } from '../../shared/market/price.ts'
import { importSeries } from '../../tools/operate/import/import-series.ts'
import { dayRanges } from '../../tools/operate/import/ranges.ts'
import { runCycle } from '../../workers/scraper/cycle.ts'
import { NOON, blue, cycleDeps } from '../support/cycle-deps.ts'
import { env } from '../support/env.ts'
import { type Market, marketFetch } from '../support/market.ts'
import { readRows } from '../support/rows.ts'

async function cycle(market: Market, at = NOON) {
  return runCycle(env, cycleDeps({ now: () => at, fetch: marketFetch(market) }), at)
}

/** Imports daily closes of the blue dollar, `buy` 20 below `sell`. */
async function importCloses(...closes: [day: Day, sell: number][]): Promise<void> {
  const rows = closes.map(([day, sell]) => ({
    at: dayEnd(day),
    buy: numberToPrice(sell - 20),
    sell: numberToPrice(sell),
  }))
  await importSeries(
    env.DB,
    {
      kind: 'daily',
      source: 'import:argentinadatos-dolares',
    },
    {
      pair: blue,
      rows,
      coverage: dayRanges(closes.map(([day]) => day)),
      read: rows.length,
      skipped: new Map(),
    },
    { dryRun: false },
  )
}

async function shown() {
  return parseBoard(await env.BOARD.get(BOARD_KEY))?.quotes.find(({ origin }) => origin === 'BLUE')
}

async function points(): Promise<[at: number, sell: number][]> {
  return (await readRows('points')).map(({ at, sell }) => [at, sell / 10_000])
}

it('a past that is imported after the first cycle has one point of the value that both say', async () => {
  await cycle({ blue: [1410, 1430] })
  const since = dayEnd('2026-03-01')
  for (const round of [1, 2]) {
    await importCloses(['2026-02-27', 1400], ['2026-03-01', 1430])
    expect(await points(), `${round}`).toEqual([
      [dayEnd('2026-02-27'), 1400],
      [since, 1430],
    ])
  }
  expect(await readRows('dailyCandles', { day: '2026-03-02' })).toEqual([])

  await cycle({ blue: [1410, 1430] }, NOON + 5 * 60_000)
  expect(await shown()).toMatchObject({ updatedAt: formatArgentine(since), referenceSell: 1400 })
})

describe('the first cycle of a pair that has imported points', () => {
  it('measures a change from the last close before midnight, and opens the day there', async () => {
    await importCloses(['2026-02-27', 1400], ['2026-03-01', 1420])
    expect(await cycle({ blue: [1410, 1430] })).toMatchObject({ changed: ['USD/BLUE'], held: [] })

    expect(await shown()).toMatchObject({ sell: 1430, referenceSell: 1420 })
    expect(await readRows('dailyCandles', { day: '2026-03-02' })).toMatchObject([
      { open: 14_200_000, low: 14_200_000, high: 14_300_000, close: 14_300_000 },
    ])
  })

  it('makes no point of a value that the import has, and confirms that value', async () => {
    await importCloses(['2026-02-27', 1400], ['2026-03-01', 1430])
    expect(await cycle({ blue: [1410, 1430] })).toMatchObject({ changed: [], held: [] })

    expect(await points()).toEqual([
      [dayEnd('2026-02-27'), 1400],
      [dayEnd('2026-03-01'), 1430],
    ])
    expect(await shown()).toMatchObject({
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
  ])('judges a jump against a value of %s by its age', async (_, closes, held) => {
    await importCloses(...closes)
    const lone: Market = { blue: [1410, 1430], dead: ['dolarhoy.com'] }
    expect(await cycle(lone)).toMatchObject(
      held ? { changed: [], held: ['USD/BLUE'] } : { changed: ['USD/BLUE'], held: [] },
    )
    expect((await shown())?.sell).toBe(held ? undefined : 1430)
  })

  it('holds an order of magnitude against a value of some weeks', async () => {
    await importCloses(['2026-01-20', 14_300])
    expect(await cycle({ blue: [1410, 1430], dead: ['dolarhoy.com'] })).toMatchObject({
      changed: [],
      held: ['USD/BLUE'],
    })
  })

  it('that is not heard of stays unquoted, also where the board is made from the tables', async () => {
    await importCloses(['2026-03-01', 1420])
    await cycle({ blue: [1410, 1430], dead: ['mercados.ambito.com', 'dolarhoy.com'] })

    expect(await shown()).toBeUndefined()
    expect((await boardFromDatabase(env.DB, NOON)).quotes).toEqual([])
  })

  it('draws its last day, though nothing changed', async () => {
    await importCloses(['2026-02-27', 1400], ['2026-03-01', 1430])
    await cycle({ blue: [1410, 1430] })

    expect(parseRecent(await env.BOARD.get(RECENT_KEY))?.points['USD/BLUE']).toEqual([
      [Math.floor(dayEnd('2026-02-27') / 60_000), 14_000_000],
      [Math.floor(dayEnd('2026-03-01') / 60_000), 14_300_000],
    ])
  })
})
