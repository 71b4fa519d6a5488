import { expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { RECENT_KEY } from '../../../shared/board/charts.ts'
import { readRecent } from '../../../workers/site/pair/read-charts.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { cycleAt, later, NOON } from '../../support/cycle-deps.ts'
import { env } from '../../support/env.ts'
import { seedPoints } from '../../support/points.ts'

/** Runs a cycle with this sell of the blue dollar. Resolves with the keys that it writes. */
async function cycle(at: Instant, sell: number, kv: Partial<KVNamespace> = {}): Promise<string[]> {
  const puts: string[] = []
  const put = (key: string, value: string) => (puts.push(key), env.BOARD.put(key, value))
  const report = await cycleAt(at, sell, { BOARD: { put, ...kv } as KVNamespace })
  expect(report.outcome).toBe('recorded')
  return puts
}

const recent = async () => (await readRecent(env.BOARD))['USD/BLUE']
const point = (at: Instant, sell: number) => [Math.floor(at / MINUTE_MS), numberToPrice(sell)]

it('the last day is written when a value changed, and otherwise never', async () => {
  expect(await cycle(NOON, 1430)).toEqual(['board', RECENT_KEY])
  expect(await cycle(later(1), 1430)).toEqual(['board'])
  await cycle(later(2), 1435)

  expect(await recent()).toEqual([point(NOON, 1430), point(later(2), 1435)])
})

it('the next change writes the last day again when KV failed', async () => {
  await cycle(NOON, 1430, { put: () => Promise.reject(new Error('KV failed')) })
  expect(await recent()).toBeUndefined()
  await cycle(later(1), 1435)

  expect(await recent()).toEqual([point(NOON, 1430), point(later(1), 1435)])
})

it('the last day begins with the value in effect then, and has one point in five minutes', async () => {
  await seedPoints(
    'usd/blue',
    ['2026-02-28 12:00', 1390, 1410],
    ['2026-03-01 11:00', 1395, 1415],
    ['2026-03-02 11:00', 1400, 1420],
    ['2026-03-02 11:02', 1405, 1425],
  )
  await cycle(NOON, 1430)

  expect(await recent()).toEqual([
    point(NOON - DAY_MS - HOUR_MS, 1415),
    point(NOON - HOUR_MS + 2 * MINUTE_MS, 1425),
    point(NOON, 1430),
  ])
})
