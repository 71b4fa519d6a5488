import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  DAY_MS,
  formatArgentine,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
  SECOND_MS,
} from '../../shared/argentine-time.ts'
import { correctPoint } from '../../tools/operate/import/corrections.ts'
import { createClockCheck } from '../../workers/scraper/collect/collect.ts'
import type { CycleReport } from '../../workers/scraper/cycle.ts'
import { openEdge } from '../support/edge.ts'
import { NOON, blue, cycleAt, later } from '../support/cycle-deps.ts'
import { env } from '../support/env.ts'
import { marketFetch } from '../support/market.ts'
import { readRows } from '../support/rows.ts'
import { openHub, steppedEnv } from './stepped-env.ts'

/** Sells of the blue dollar. */
const [OLD, NEW, NEWER] = [1430, 1435, 1440]

const warnings: Record<string, unknown>[] = []
beforeEach(() => {
  warnings.length = 0
  vi.spyOn(console, 'warn').mockImplementation((line: string) => {
    const entry = JSON.parse(line) as Record<string, unknown>
    if (entry['event'] === 'clock_wrong') warnings.push(entry)
  })
})
afterEach(() => vi.restoreAllMocks())

/** Runs a cycle at `at` on a machine whose clock is `ahead`; every source sends the true time. */
function cycle(at: Instant, sell: number = OLD, ahead = 0): Promise<CycleReport> {
  return cycleAt(at + ahead, timedFetch(at, sell))
}

function timedFetch(at: Instant, sell: number): typeof globalThis.fetch {
  return async (...request) => {
    const answer = await marketFetch(sell)(...request)
    answer.headers.set('Date', new Date(at).toUTCString())
    return answer
  }
}

async function read(path: string, now: Instant) {
  return (await (await openEdge({ now }).fetch(path)).json()) as Record<string, unknown>
}

const TABLES = ['points', 'currentQuotes', 'dailyCandles', 'scraperState', 'availability'] as const
const everything = () => Promise.all(TABLES.map((table) => readRows(table)))

describe.each([
  ['three minutes ahead', 3 * MINUTE_MS],
  ['two days ahead', 2 * DAY_MS],
  ['two days behind', -2 * DAY_MS],
])('a clock that is %s of the sources', (_, ahead) => {
  it('records nothing, reports this in the log and in the status, and continues once the clock is right', async () => {
    await cycle(NOON)
    const before = await everything()
    for (const i of [1, 2])
      expect(await cycle(later(i), NEW, ahead)).toEqual({ outcome: 'clock_wrong' })

    expect(await everything()).toEqual(before)
    const said = { aheadSeconds: ahead / SECOND_MS, recordedUntil: new Date(NOON).toISOString() }
    expect(warnings).toMatchObject([said, said])
    const noon = formatArgentine(NOON)
    expect(await read('/api/v2/status', later(2))).toMatchObject({
      status: 'down',
      reason: 'clock',
      generatedAt: noon,
    })
    expect(await read('/api/v2/usd/blue', later(2))).toMatchObject({
      sell: 1430,
      updatedAt: noon,
      lastScrapedAt: noon,
    })

    expect(await cycle(later(3), NEW)).toMatchObject({ outcome: 'recorded', changed: ['USD/BLUE'] })
    expect(await read('/api/v2/status', later(3))).toMatchObject({ reason: null })
  })

  it('records nothing in the very first cycle either', async () => {
    expect(await cycle(NOON, OLD, ahead)).toEqual({ outcome: 'clock_wrong' })
    expect(await read('/api/v2/status', NOON)).toMatchObject({ reason: 'no_board' })
  })
})

it('a cycle with a wrong clock that lost its lease does not replace the board of the cycle that has it', async () => {
  await cycle(NOON)
  const streams = openHub(() => later(2))
  const stepped = steppedEnv(
    { step: 'the board in KV', when: 'before', meanwhile: () => cycle(later(2), NEW) },
    streams,
  )
  const fetch = stepped.fetch(timedFetch(later(1), OLD))
  const wrong = later(1) - HOUR_MS
  expect(await cycleAt(wrong, fetch, stepped.env, { scheduledAt: later(1) })).toEqual({
    outcome: 'clock_wrong',
  })
  expect(stepped.wasInterrupted()).toBe(true)
  expect(await read('/api/v2/status', later(2))).toMatchObject({ status: 'degraded', reason: null })
  expect(await read('/api/v2/usd/blue', later(2))).toMatchObject({ sell: 1435 })
})

it.each([2 * MINUTE_MS, -2 * MINUTE_MS])('a clock that is %d ms off records', async (ahead) => {
  await cycle(NOON)
  expect(await cycle(later(2), NEW, ahead)).toMatchObject({ changed: ['USD/BLUE'] })
})

describe('while the sources do not tell the time', () => {
  it('a cycle that is not later than the last one records nothing', async () => {
    await cycleAt(NOON, OLD)
    const before = await everything()
    expect(await cycleAt(NOON - HOUR_MS, NEW)).toEqual({ outcome: 'clock_wrong' })
    expect(await everything()).toEqual(before)
    expect(warnings).toMatchObject([{ aheadSeconds: null }])
    expect(await cycleAt(later(1), NEW)).toMatchObject({ changed: ['USD/BLUE'] })
  })

  it('a value recorded in the future does not stop the next right cycle, and changes are recorded again once it is removed', async () => {
    await cycleAt(NOON, OLD)
    await cycleAt(NOON + DAY_MS, NEW)
    expect(await cycle(later(1), NEWER)).toMatchObject({ outcome: 'recorded', changed: [] })

    await correctPoint(env.DB, { pair: blue, at: NOON + DAY_MS, reason: 'clock', now: later(2) })
    expect(await cycle(later(2), NEWER)).toMatchObject({ changed: ['USD/BLUE'] })
    expect(await read('/api/v2/usd/blue', later(2))).toMatchObject({
      sell: 1440,
      updatedAt: formatArgentine(later(2)),
    })
  })
})

/** A response of a host: how far its clock is behind, and its `Age`. */
type Answer = [host: string, behind: number, age?: string]

it.each<[string, Answer[], number | null]>([
  ['is the median', Object.entries({ a: 0, b: DAY_MS, c: MINUTE_MS }), MINUTE_MS],
  ['is unknown by two hosts', Object.entries({ a: DAY_MS, b: DAY_MS }), null],
  ['counts a host once', ['a', 'a', 'a', 'b'].map((host): Answer => [host, 0]), null],
  [
    'adds the age of what a cache kept',
    ['a', 'b', 'c'].map((host): Answer => [host, HOUR_MS, '3600']),
    0,
  ],
  ['ignores who tells no time', Object.entries({ a: NaN, b: NaN, c: 0 }), null],
])('how far the clock is ahead %s', (_, answers, expected) => {
  const check = createClockCheck()
  for (const [host, behind, age] of answers) {
    const date = new Date(NOON - behind).toUTCString()
    check.note(host, new Headers({ Date: date, ...(age && { Age: age }) }), NOON)
  }
  expect(check.ahead()).toBe(expected)
})
