import { expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { parseRecent, RECENT_KEY } from '../../../shared/board/charts.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { type CycleEnv, runCycle } from '../../../workers/scraper/cycle.ts'
import { blue, cycleDeps, later, NOON } from '../../support/cycle-deps.ts'
import { env } from '../../support/env.ts'
import { marketFetch } from '../../support/market.ts'
import { insertRow } from '../../support/rows.ts'

/** A cycle that finds the blue dollar at a sell; resolves with the keys that it writes. */
async function cycle(at: Instant, sell: number, kv: Partial<KVNamespace> = {}): Promise<string[]> {
  const puts: string[] = []
  const put = (key: string, value: string) => (puts.push(key), env.BOARD.put(key, value))
  const deps = cycleDeps({ now: () => at, fetch: marketFetch({ blue: [sell - 20, sell] }) })
  const report = await runCycle({ ...env, BOARD: { put, ...kv } } as CycleEnv, deps, at)
  expect(report.outcome).toBe('recorded')
  return puts
}

const recent = async () => parseRecent(await env.BOARD.get(RECENT_KEY))?.points['USD/BLUE']
const point = (at: Instant, sell: number) => [Math.floor(at / MINUTE_MS), numberToPrice(sell)]

it('the last day is written when a value changed, and never else', async () => {
  expect(await cycle(NOON, 1430)).toEqual(['board', RECENT_KEY])
  expect(await cycle(later(1), 1430)).toEqual(['board'])
  await cycle(later(2), 1435)

  expect(await recent()).toEqual([point(NOON, 1430), point(later(2), 1435)])
})

it('the last day is made good by the next change when KV failed', async () => {
  await cycle(NOON, 1430, { put: () => Promise.reject(new Error('KV failed')) })
  expect(await recent()).toBeUndefined()
  await cycle(later(1), 1435)

  expect(await recent()).toEqual([point(NOON, 1430), point(later(1), 1435)])
})

it('the last day begins with the value in effect then, and has one point in five minutes', async () => {
  const points: [at: Instant, sell: number][] = [
    [NOON - 2 * DAY_MS, 1410],
    [NOON - DAY_MS - HOUR_MS, 1415],
    [NOON - HOUR_MS, 1420],
    [NOON - HOUR_MS + 2 * MINUTE_MS, 1425],
  ]
  for (const [at, sell] of points)
    await insertRow('points', {
      pair: blue.id,
      at,
      buy: numberToPrice(sell - 20),
      sell: numberToPrice(sell),
      source: 'x',
    })
  await cycle(NOON, 1430)

  expect(await recent()).toEqual(
    [...points.slice(1, 2), points[3]!, [NOON, 1430] as const].map(([at, sell]) => point(at, sell)),
  )
})
