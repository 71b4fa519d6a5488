import { expect, it, vi } from 'vitest'
import type { Mode } from '../../shared/board/board.ts'
import { boardFromDatabase } from '../../shared/db/quotes/quotes.ts'
import { readMode } from '../../shared/db/quotes/service-mode.ts'
import { SOURCES } from '../../workers/scraper/sources/index.ts'
import { NOON, cycleAt, later, shownBoard } from '../support/cycle-deps.ts'
import { env } from '../support/env.ts'
import { changeRows, readRows } from '../support/rows.ts'

const cycle = (mode: Mode, at = NOON, fetch: number | typeof globalThis.fetch = 1430) =>
  cycleAt(at, fetch, {}, { mode })

it.each([
  ['live', 'ambito-blue'],
  ['demo', 'demo:ambito-blue'],
  ['upstream', 'upstream:ambito-blue'],
] as const)(
  'the first cycle sets the mode of the state, and the source of each point shows it: %s',
  async (mode, source) => {
    expect(await cycle(mode)).toMatchObject({ outcome: 'recorded', changed: ['USD/BLUE'] })

    expect(await readMode(env.DB)).toBe(mode)
    expect(await sources()).toEqual([source])
    expect((await shownBoard())?.quotes[0]?.source).toBe('ambito-blue')
  },
)

it.each([
  ['live', 'demo'],
  ['live', 'upstream'],
  ['demo', 'live'],
] as const)('a state of mode %s refuses a %s cycle before any request', async (mode, other) => {
  await cycle(mode)
  const before = await shownBoard()
  const network = vi.fn<typeof fetch>()
  expect(await cycle(other, later(1), network)).toEqual({ outcome: 'other_mode' })
  expect(network).not.toHaveBeenCalled()
  expect(await shownBoard()).toEqual(before)
  expect(await sources()).toHaveLength(1)
  // The refused cycle took no lease: the next cycle of the state's own mode runs.
  const next = await cycle(mode, later(1))
  expect(next).toMatchObject({ outcome: 'recorded' })
  const isEverySourceAsked = 'requested' in next && next.requested === SOURCES.length
  expect(isEverySourceAsked).toBe(mode !== 'live')
})

it('the mode of a simulated state is known without a board and without the last cycle', async () => {
  await cycle('demo')
  await changeRows('scraperState', { cycle: '{' })

  expect(await boardFromDatabase(env.DB, later(1))).toMatchObject({
    mode: 'demo',
    everySeconds: 300,
  })
})

async function sources(): Promise<unknown[]> {
  return (await readRows('points')).map(({ source }) => source)
}
