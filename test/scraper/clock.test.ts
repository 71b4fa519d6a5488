import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  DAY_MS,
  formatArgentine,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
} from '../../shared/argentine-time.ts'
import { BOARD_KEY, parseBoard } from '../../shared/board/board.ts'
import { findPairByKey } from '../../shared/market/catalog.ts'
import { parseRecent, RECENT_KEY } from '../../shared/board/charts.ts'
import { readAvailability } from '../../shared/db/quotes/availability.ts'
import { removePoint } from '../../shared/db/quotes/corrections.ts'
import { type CycleReport, runCycle } from '../../workers/scraper/cycle.ts'
import { openEdge } from '../support/edge.ts'
import { cycleDeps } from '../support/cycle-deps.ts'
import { env } from '../support/env.ts'
import { art } from '../support/instant.ts'
import { type Market, marketFetch } from '../support/market.ts'
import { insertRows } from '../../tools/prove/harness/rows.ts'

/** A Monday inside everybody's hours, with hours to come. */
const NOON = art('2026-03-02 12:00')
const OLD: Market = { blue: [1410, 1430] }
const NEW: Market = { blue: [1415, 1435] }
const NEWER: Market = { blue: [1420, 1440] }
const blue = findPairByKey('usd/blue')!

const later = (cycles: number, from = NOON) => from + cycles * 5 * MINUTE_MS

const warnings: { event: string; recordedUntil?: string; pairs?: string[] }[] = []
beforeEach(() => {
  warnings.length = 0
  vi.spyOn(console, 'warn').mockImplementation((line: string) => {
    const entry = JSON.parse(line) as (typeof warnings)[number]
    if (entry.event === 'clock_behind') warnings.push(entry)
  })
})
afterEach(() => vi.restoreAllMocks())

/** A cycle of a machine whose clock says `at`. */
function cycle(at: Instant, market: Market = OLD): Promise<CycleReport> {
  return runCycle(env, cycleDeps({ now: () => at, fetch: marketFetch(market) }), at)
}

/** What everyone reads at an instant: the pair, its dated quote and the status. */
async function readAll(now: Instant) {
  const edge = openEdge({ now })
  const ask = async (path: string) => (await (await edge.fetch(path)).json()) as any
  const time = formatArgentine(now)
  return {
    current: await ask('/api/v2/usd/blue'),
    legacy: await ask('/api/usd/blue'),
    dated: await ask(`/api/v2/date/${time.slice(0, 10)}/usd/blue?time=${time.slice(11, 19)}`),
    status: await ask('/api/v2/status'),
  }
}

async function allPoints() {
  const { results } = await env.DB.prepare('select at, sell from points order by at').all<{
    at: number
    sell: number
  }>()
  return results.map(({ at, sell }) => [at, sell / 10_000])
}

const offs: [string, number][] = [
  ['an hour', HOUR_MS],
  ['two days', 2 * DAY_MS],
]

describe.each(offs)('a clock that was %s ahead for a cycle', (_, ahead) => {
  async function goAhead(market: Market) {
    await cycle(NOON)
    await cycle(later(1))
    expect(await cycle(later(2) + ahead, market)).toMatchObject({ outcome: 'recorded' })
  }

  it('and confirmed only: recording goes on in the next one', async () => {
    await goAhead(OLD)
    expect(await cycle(later(3))).toMatchObject({ outcome: 'recorded', changed: [] })
    expect(await cycle(later(4), NEW)).toMatchObject({ outcome: 'recorded', changed: ['USD/BLUE'] })

    const { current, dated, status } = await readAll(later(4))
    expect(current).toMatchObject({
      sell: 1435,
      updatedAt: formatArgentine(later(4)),
      lastScrapedAt: formatArgentine(later(4)),
    })
    expect(dated).toMatchObject({ sell: 1435, quotedAt: formatArgentine(later(4)) })
    expect(status).toMatchObject({ status: 'degraded', reason: null })
    expect(await allPoints()).toEqual([
      [NOON, 1430],
      [later(4), 1435],
    ])
  })

  it('and is right again: its board is not believed, and status says why', async () => {
    await goAhead(OLD)
    const now = later(2) + MINUTE_MS
    const { current, legacy, dated, status } = await readAll(now)
    const again = await readAll(now + MINUTE_MS)

    expect(status).toMatchObject({ status: 'down', reason: 'clock' })
    expect(current).toMatchObject({ sell: 1430, updatedAt: formatArgentine(NOON) })
    expect(legacy).toMatchObject({ venta: 1430, actualizado: formatArgentine(NOON) })
    expect(dated).toMatchObject({ sell: 1430, quotedAt: formatArgentine(NOON) })
    // Nothing follows the reader's clock.
    expect(again.current).toEqual(current)
  })

  it('and recorded a change: the pair waits, current and dated reads agree, each cycle says so', async () => {
    await goAhead(NEW)
    const before = await allPoints()
    for (const i of [3, 4]) expect((await cycle(later(i), NEWER)).outcome).toBe('recorded')

    expect(warnings.map(({ pairs }) => pairs)).toEqual([['USD/BLUE'], ['USD/BLUE']])
    expect(await allPoints()).toEqual(before)
    const { current, dated, status } = await readAll(later(4))
    expect(current).toMatchObject({
      sell: 1430,
      updatedAt: formatArgentine(NOON),
      lastScrapedAt: formatArgentine(NOON),
    })
    expect(dated).toMatchObject({ sell: 1430, quotedAt: formatArgentine(NOON) })
    expect(status.status).toBe('down')

    const caughtUp = later(3) + ahead
    expect(await cycle(caughtUp, NEWER)).toMatchObject({ changed: ['USD/BLUE'] })
    expect((await readAll(caughtUp)).current).toMatchObject({ sell: 1440 })
  })

  it('and recorded a change: once that point is removed by hand, the next cycle records', async () => {
    await goAhead(NEW)
    await removePoint(env.DB, { pair: blue, at: later(2) + ahead, reason: 'clock', now: later(3) })

    expect(await cycle(later(3), NEWER)).toMatchObject({ changed: ['USD/BLUE'] })
    expect(warnings).toEqual([])
    expect(await allPoints()).toEqual([
      [NOON, 1430],
      [later(3), 1440],
    ])
    expect((await readAll(later(3))).current).toMatchObject({
      sell: 1440,
      lastScrapedAt: formatArgentine(later(3)),
    })
  })

  it('leaves no time in the availability that has not passed, nor a point in the charts', async () => {
    await goAhead(NEW)
    await cycle(later(3))
    await cycle(later(4))

    const days = await readAvailability(env.DB, later(4) + 3 * DAY_MS)
    expect(days.map(({ day }) => day)).toEqual(['2026-03-02'])
    const sum = days.reduce((all, { ok, degraded, down }) => all + ok + degraded + down, 0)
    expect(sum).toBeLessThanOrEqual(later(4) - art('2026-03-02 00:00'))
    const recent = parseRecent(await env.BOARD.get(RECENT_KEY))?.points['USD/BLUE']
    expect(recent).toEqual([[NOON / MINUTE_MS, 14_300_000]])
  })

  it('on its first cycle of all: each says that it is behind, until the clock has come there', async () => {
    await cycle(NOON + ahead)
    for (const i of [1, 2]) expect(await cycle(later(i))).toEqual({ outcome: 'clock_behind' })

    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toMatchObject({ recordedUntil: new Date(NOON + ahead).toISOString() })
    expect((await readAll(later(2))).status).toMatchObject({ status: 'down', reason: 'clock' })
    expect((await readAll(later(2))).current).toEqual({ error: 'Cotización no encontrada' })
    expect(await cycle(later(1) + ahead)).toMatchObject({ outcome: 'recorded' })
  })
})

async function runForHalfAnHour() {
  for (let i = 0; i < 6; i++) await cycle(later(i))
  await cycle(later(6), NEW)
}

describe.each(offs)('a clock that steps back by %s', (_, back) => {
  it('records nothing, says so each time, and goes on when it is right', async () => {
    await runForHalfAnHour()
    const before = await env.DB.prepare('select * from current_quotes').all()
    for (const i of [7, 8]) {
      expect(await cycle(later(i) - back, NEWER)).toEqual({ outcome: 'clock_behind' })
    }
    expect(warnings).toHaveLength(2)
    expect((await env.DB.prepare('select * from current_quotes').all()).results).toEqual(
      before.results,
    )

    expect(await cycle(later(9), NEWER)).toMatchObject({ changed: ['USD/BLUE'] })
    expect((await readAll(later(9))).status).toMatchObject({ status: 'degraded', reason: null })
  })

  it('believes no board of the future, and shows what was in effect by it', async () => {
    await runForHalfAnHour()
    const now = later(6) - back
    const { current, dated, status } = await readAll(now)

    expect(status).toMatchObject({ status: 'down', reason: 'clock' })
    expect(current).toEqual({ error: 'Cotización no encontrada' })
    expect(dated).toMatchObject({ sell: null, quotedAt: null })
  })
})

it('one row of the future does not stop the other pairs, nor itself when only its confirmation is', async () => {
  await cycle(NOON)
  await env.DB.prepare('update scraper_state set confirmed_at = json_object(cast(?1 as text), ?2)')
    .bind(findPairByKey('usd/blue')!.id, NOON + 2 * DAY_MS)
    .run()
  expect(await cycle(later(1), NEW)).toMatchObject({ outcome: 'recorded', changed: ['USD/BLUE'] })
  expect(warnings).toEqual([])

  await env.DB.prepare('insert into points values (?1, ?2, 1, 1, ?3)')
    .bind(findPairByKey('usd/bna')!.id, NOON + DAY_MS, 'restored')
    .run()
  await env.DB.prepare(
    insertRows('current_quotes', { pair: '?1', buy: 1, sell: 1, source: '?3', updated_at: '?2' }),
  )
    .bind(findPairByKey('usd/bna')!.id, NOON + DAY_MS, 'restored')
    .run()
  expect(await cycle(later(2), NEWER)).toMatchObject({ outcome: 'recorded', changed: ['USD/BLUE'] })
  expect(warnings).toMatchObject([{ recordedUntil: null, pairs: ['USD/BNA'] }])
  const board = parseBoard(await env.BOARD.get(BOARD_KEY))!
  expect(board.quotes.map(({ origin, sell }) => [origin, sell])).toEqual([['BLUE', 1440]])
})

it('a clock that is wrong for hours and then right goes on from before it leapt', async () => {
  await cycle(NOON)
  for (let i = 1; i < 4; i++) await cycle(later(i) + 2 * DAY_MS)
  expect(await cycle(later(4))).toMatchObject({ outcome: 'recorded' })
  expect(await cycle(later(5))).toMatchObject({ outcome: 'recorded' })
  // What was before the leap is not overwritten.
  expect(await cycle(NOON - MINUTE_MS)).toEqual({ outcome: 'clock_behind' })
})
