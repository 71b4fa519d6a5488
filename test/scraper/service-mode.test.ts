import { expect, it } from 'vitest'
import { BOARD_KEY, type Mode, parseBoard } from '../../shared/board/board.ts'
import { boardFromDatabase } from '../../shared/db/quotes/board-fallback.ts'
import { readMode } from '../../shared/db/quotes/service-mode.ts'
import { statusOf } from '../../shared/board/status.ts'
import { runCycle } from '../../workers/scraper/cycle.ts'
import { NOON, cycleDeps } from '../support/cycle-deps.ts'
import { env } from '../support/env.ts'
import { art } from '../support/instant.ts'
import { marketFetch } from '../support/market.ts'
import { changeRows, readRows } from '../support/rows.ts'

const LATER = art('2026-03-02 12:05')

const market = marketFetch({ blue: [1410, 1430] })
const nobody = () => expect.unreachable('a source was asked')
const none = () => Promise.reject(new TypeError('unreachable'))
const cycle = (mode: Mode, at = NOON, fetch = market) =>
  runCycle(env, cycleDeps({ now: () => at, fetch, mode }), at)

it.each([
  ['live', 'ambito-blue'],
  ['demo', 'demo:ambito-blue'],
  ['upstream', 'upstream:ambito-blue'],
] as const)(
  'the first cycle marks the state with its mode, and each point tells it: %s',
  async (mode, source) => {
    expect(await cycle(mode)).toMatchObject({ outcome: 'recorded', changed: ['USD/BLUE'] })

    expect(await readMode(env.DB)).toBe(mode)
    expect(await sources()).toEqual([source])
    expect((await board())?.quotes[0]?.source).toBe('ambito-blue')
  },
)

it.each([
  ['live', 'demo'],
  ['live', 'upstream'],
  ['demo', 'live'],
] as const)(
  'a state of mode %s takes nothing of a cycle of mode %s, which asks nobody',
  async (mode, other) => {
    await cycle(mode)
    const before = await board()
    expect(await cycle(other, LATER, nobody)).toEqual({ outcome: 'other_mode' })
    expect(await board()).toEqual(before)
    expect(await sources()).toHaveLength(1)
    // It took no lease: the next cycle of the state's own mode goes on.
    expect(await cycle(mode, LATER)).toMatchObject({ outcome: 'recorded' })
  },
)

it('a live state without a network stays live, says down with the reason, and goes on when it is back', async () => {
  expect(await cycle('live', NOON, none)).toMatchObject({ outcome: 'recorded', answered: 0 })

  expect(await readMode(env.DB)).toBe('live')
  expect(statusOf(await board(), NOON)).toMatchObject({
    status: 'down',
    reason: 'no_source_answered',
    mode: 'live',
  })
  expect(await sources()).toEqual([])
  expect(await cycle('live', LATER)).toMatchObject({ changed: ['USD/BLUE'] })
})

it('says a simulated state’s mode without a board and without the last cycle', async () => {
  await cycle('demo')
  await changeRows('scraperState', { cycle: '{' })

  expect(await boardFromDatabase(env.DB, LATER)).toMatchObject({ mode: 'demo', everySeconds: 300 })
})

async function board() {
  return parseBoard(await env.BOARD.get(BOARD_KEY))
}

async function sources(): Promise<unknown[]> {
  return (await readRows('points')).map(({ source }) => source)
}
