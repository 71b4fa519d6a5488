import { afterEach, describe, expect, it } from 'vitest'
import { DAY_MS, formatArgentine, MINUTE_MS, SECOND_MS } from '../../shared/argentine-time.ts'
import { statusOf } from '../../shared/board/status.ts'
import { readAvailability } from '../../workers/site/db/past.ts'
import { listHeld, overrideHeld } from '../../tools/operate/admin/quarantine.ts'
import { findPairByKey } from '../../shared/market/catalog.ts'
import { SOURCES } from '../../workers/scraper/sources/index.ts'
import type { CycleEnv } from '../../workers/scraper/cycle.ts'
import { loseConnection, withBatch } from '../support/faulty-database.ts'
import { NOON, cycleAt, later, shownBlue, shownBoard } from '../support/cycle-deps.ts'
import { env } from '../support/env.ts'
import { art } from '../support/instant.ts'
import { measuredDatabase } from '../support/measured-database.ts'
import { type Market, marketFetch } from '../support/market.ts'
import { changeRows, countRows, readRows } from '../support/rows.ts'
import { expectSoundQuotes } from '../support/sound.ts'

afterEach(() => expectSoundQuotes(NOON + 2 * DAY_MS))

describe('a cycle', () => {
  it('publishes the values of the sources, although nearly all of them fail', async () => {
    const report = await cycleAt(NOON, 1430)

    expect(report).toMatchObject({ outcome: 'recorded', changed: ['USD/BLUE'], published: true })
    expect(await shownBlue()).toMatchObject({
      buy: 1410,
      sell: 1430,
      updatedAt: formatArgentine(NOON),
      lastScrapedAt: formatArgentine(NOON),
      referenceSell: null,
      source: 'ambito-blue',
      held: false,
    })
  })

  it('that finds no change updates only lastScrapedAt', async () => {
    await cycleAt(NOON, 1430)
    expect(await cycleAt(later(1), 1430)).toMatchObject({ changed: [] })

    expect(await shownBlue()).toMatchObject({
      updatedAt: formatArgentine(NOON),
      lastScrapedAt: formatArgentine(later(1)),
    })
    expect(await countRows('points')).toBe(1)
  })

  it('that waited long for one source does not keep the next cycle from requesting all sources', async () => {
    let now = NOON
    const slow: typeof fetch = (...request) => {
      now = NOON + 35 * SECOND_MS
      return marketFetch(1430)(...request)
    }
    await cycleAt(NOON, slow, {}, { now: () => now })
    expect(await shownBlue()).toMatchObject({
      lastScrapedAt: formatArgentine(NOON + 35 * SECOND_MS),
    })

    await cycleAt(later(1), 1430)
    expect(await shownBlue()).toMatchObject({ lastScrapedAt: formatArgentine(later(1)) })
  })

  it('that finds a change writes a point, and its change since yesterday', async () => {
    await cycleAt(art('2026-03-01 23:55'), 1430)
    await cycleAt(NOON, 1440)
    await cycleAt(later(1), 1435)

    expect(await shownBlue()).toMatchObject({
      sell: 1435,
      updatedAt: formatArgentine(later(1)),
      referenceSell: 1430,
    })
    expect(await countRows('points')).toBe(3)
    expect(await readRows('dailyCandles', { day: '2026-03-02' })).toMatchObject([
      { open: 14_300_000, low: 14_300_000, high: 14_400_000, close: 14_350_000 },
    ])
  })

  it('in which no source answers keeps every value, with the status down', async () => {
    await cycleAt(NOON, 1430)
    const silent = await cycleAt(later(1), async () => {
      throw new Error('Network connection lost.')
    })

    expect(silent).toMatchObject({ outcome: 'recorded', answered: 0 })
    const said = { status: 'down', reason: 'no_source_answered', mode: 'live' }
    const board = await shownBoard()
    expect(statusOf(board, later(1))).toMatchObject(said)
    const source = { lastError: 'network', everyMinutes: 5 }
    expect(board!.sources.map(({ name }) => name)).toEqual(SOURCES.map(({ name }) => name))
    expect(board!.sources).toEqual(
      expect.arrayContaining([
        { ...source, name: 'ambito-blue', lastSuccessAt: formatArgentine(NOON) },
        { ...source, name: 'bna-personas', lastSuccessAt: null },
      ]),
    )
    expect(await shownBlue()).toMatchObject({ sell: 1430, lastScrapedAt: formatArgentine(NOON) })

    await cycleAt(later(2), 1430)
    expect((await shownBoard())!.sources).toContainEqual({
      name: 'ambito-blue',
      lastSuccessAt: formatArgentine(later(2)),
      lastError: null,
      everyMinutes: 5,
    })
  })
})

describe('a cycle twice', () => {
  it('at once: one records, the others are skipped', async () => {
    const reports = await Promise.all(Array.from({ length: 8 }, () => cycleAt(NOON, 1430)))

    expect(reports.filter(({ outcome }) => outcome === 'recorded')).toHaveLength(1)
    expect(reports.filter(({ outcome }) => outcome === 'skipped')).toHaveLength(7)
    expect(await countRows('points')).toBe(1)
  })

  it('one after the other: the second is skipped, and so is a late one', async () => {
    await cycleAt(NOON, 1430)
    for (const scheduledAt of [NOON, NOON - 5 * MINUTE_MS]) {
      const again = await cycleAt(NOON + 1000, 1435, {}, { scheduledAt })
      expect(again).toEqual({ outcome: 'skipped' })
    }
    expect(await countRows('points')).toBe(1)
  })
})

describe('a cycle that dies', () => {
  const deaths: [string, () => Partial<CycleEnv>][] = [
    ['before it takes the lease', () => ({ DB: withBatch(1, { before: loseConnection }) })],
    ['with the lease taken', () => ({ DB: withBatch(1, { after: loseConnection }) })],
    ['before it records', () => ({ DB: withBatch(2, { before: loseConnection }) })],
    ['right after it recorded', () => ({ DB: withBatch(2, { after: loseConnection }) })],
    ['at the publishing', () => ({ BOARD: { put: loseConnection } })],
  ]

  it.each(deaths)('%s leaves a state from which the next cycle is right', async (_, make) => {
    await cycleAt(NOON, 1430)
    await cycleAt(later(1), 1435, make()).catch(() => {})
    await expectSoundQuotes(later(2))

    expect(await cycleAt(later(2), 1435)).toMatchObject({ outcome: 'recorded' })
    expect(await shownBlue()).toMatchObject({
      sell: 1435,
      lastScrapedAt: formatArgentine(later(2)),
    })
    expect(await countRows('points')).toBe(2)
  })

  it('with a clock a day ahead leaves no lease that blocks the next cycle', async () => {
    await cycleAt(NOON, 1430)
    const dying = { DB: withBatch(1, { after: loseConnection }) }
    await cycleAt(NOON + DAY_MS, 1430, dying, { scheduledAt: later(1) }).catch(() => {})
    expect(await cycleAt(later(2), 1430)).toMatchObject({ outcome: 'recorded' })
  })
})

describe('the quarantine', () => {
  const WRONG: Market = { blue: [1410, 143], dead: ['dolarhoy.com'] }
  const WORSE: Market = { ...WRONG, blue: [1410, 153] }

  it('keeps a held value with its reason until it goes away; the last good value stays', async () => {
    await cycleAt(NOON, 1430)
    expect(await cycleAt(later(1), WRONG)).toMatchObject({ changed: [], held: ['USD/BLUE'] })
    expect(await cycleAt(later(2), WORSE)).toMatchObject({ changed: [], held: ['USD/BLUE'] })

    expect(await shownBlue()).toMatchObject({
      sell: 1430,
      held: true,
      lastScrapedAt: formatArgentine(NOON),
    })
    expect(await rows()).toMatchObject([
      {
        status: 'held',
        sell: 1_530_000,
        source: 'ambito-blue',
        firstSeenAt: later(1),
        lastSeenAt: later(2),
      },
    ])

    await cycleAt(later(3), 1430)
    expect(await rows()).toMatchObject([{ status: 'dropped' }])
    expect(await shownBlue()).toMatchObject({
      held: false,
      lastScrapedAt: formatArgentine(later(3)),
    })
  })

  it('keeps the value that the operator accepted while a cycle reads another value', async () => {
    await cycleAt(NOON, 1430)
    await cycleAt(later(1), WRONG)
    let accepted: Promise<unknown> | undefined
    await cycleAt(later(2), async (...request) => {
      await (accepted ??= overrideHeld(env.DB, findPairByKey('usd/blue')!, 'accepted'))
      return marketFetch(WORSE)(...request)
    })
    expect(await rows()).toMatchObject([{ status: 'accepted', sell: 1_430_000, resolvedAt: null }])
  })

  describe('publishes a value that the operator accepts', () => {
    const ONE: Market = { blue: [1410, 1430], dolarhoy: [1690, 1710] }
    const AMBITO_DEAD = { ...ONE, dead: ['mercados.ambito.com'] }
    const DOLARHOY_DEAD = { ...ONE, dead: ['dolarhoy.com'] }

    it.each<[what: string, after: Market[], sell: number, status: string]>([
      ['while the source in use is silent', [AMBITO_DEAD], 1710, 'accepted'],
      ['beside the source in use', [ONE], 1710, 'accepted'],
      ['that was silent after it', [DOLARHOY_DEAD, DOLARHOY_DEAD, ONE], 1710, 'accepted'],
      [
        'never, if it takes the value back',
        [DOLARHOY_DEAD, { blue: [1410, 1430] }],
        1430,
        'dropped',
      ],
    ])('%s', async (_, after, sell, status) => {
      for (const [turn, market] of [ONE, ONE, AMBITO_DEAD].entries())
        await cycleAt(later(turn), turn === 0 ? 1430 : market)
      expect(await rows()).toMatchObject([{ status: 'held', source: 'dolarhoy' }])
      await overrideHeld(env.DB, findPairByKey('usd/blue')!, 'accepted')
      for (const [turn, market] of after.entries()) {
        if (turn > 0) expect(await rows()).toMatchObject([{ status: 'accepted', resolvedAt: null }])
        await cycleAt(later(3 + turn), market)
      }
      expect(await shownBlue()).toMatchObject({ sell })
      expect(await rows()).toMatchObject([{ status, resolvedAt: expect.any(Number) }])
      expect(await listHeld(env.DB)).toEqual([])
    })
  })

  it('never publishes what the operator rejected, however often it comes', async () => {
    const jump: Market = { blue: [1690, 1710], dead: ['dolarhoy.com'] }
    await cycleAt(NOON, 1430)
    await cycleAt(later(1), jump)
    await overrideHeld(env.DB, findPairByKey('usd/blue')!, 'rejected')
    // Longer than the two hours after which a single source is believed.
    for (let i = 2; i < 30; i++) await cycleAt(later(i), jump)

    expect(await shownBlue()).toMatchObject({ sell: 1430 })
    expect(await rows()).toMatchObject([{ status: 'rejected' }])
  })
})

describe('the open streams', () => {
  it('do not stop the cycle when they cannot be reached', async () => {
    const broken = { getByName: () => ({ publish: () => Promise.reject(new Error('overloaded')) }) }
    const report = await cycleAt(NOON, 1430, { QUOTE_STREAM: broken })
    expect(report).toMatchObject({ outcome: 'recorded', published: true })
    expect(await cycleAt(later(1), 1430)).toMatchObject({ outcome: 'recorded' })
  })
})

describe('availability', () => {
  it('counts the time since the last cycle, whatever happened in between', async () => {
    await cycleAt(art('2026-03-02 19:50'), 1430)
    await cycleAt(art('2026-03-02 19:55'), 1430)
    await cycleAt(art('2026-03-03 00:30'), 1430)
    // In this market only the blue dollar has a source that answers.
    expect(await readAvailability(env.DB, NOON + DAY_MS)).toEqual([
      { day: '2026-03-02', ok: 0, degraded: 20 * MINUTE_MS, down: 230 * MINUTE_MS },
      { day: '2026-03-03', ok: 0, degraded: 0, down: 30 * MINUTE_MS },
    ])
  })

  it.each(['{', 'null', '[1]', '{"dolarhoy":{"failures":1}}'])(
    'and the memory of sources start empty after %s',
    async (text) => {
      await cycleAt(NOON, 1430)
      await changeRows('scraperState', { cycle: text.slice(0, 1), sources: text })
      const next = await cycleAt(later(1), 1430)
      expect(next).toMatchObject({ outcome: 'recorded', requested: SOURCES.length })
      expect(await readAvailability(env.DB, NOON)).toEqual([])
    },
  )
})

describe('what a cycle costs', () => {
  it('without a change: 3 round trips, 8 rows read a pair, 12 written, one KV write', async () => {
    await cycleAt(NOON, 1430)
    const { db, spent } = measuredDatabase()
    const puts: string[] = []
    const put = (key: string, value: string) => (puts.push(key), env.BOARD.put(key, value))
    await cycleAt(later(1), 1430, { DB: db, BOARD: { put } })

    expect(spent().roundTrips).toBeLessThanOrEqual(3)
    expect(spent().rowsRead).toBeLessThanOrEqual(8 * 19)
    expect(spent().rowsWritten).toBeLessThanOrEqual(12)
    expect(puts).toHaveLength(1)
  })
})

const rows = () => readRows('quarantine')
