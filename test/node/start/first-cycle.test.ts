import { expect, it } from 'vitest'
import { firstCycle } from '../../../tools/start/first-cycle.ts'
import type { CycleReport } from '../../../workers/scraper/cycle.ts'
import type { CycleOrder } from '../../../workers/standalone/local/order.ts'
import { impatientFetch } from '../../../workers/standalone/local/impatient-fetch.ts'

const live: CycleOrder = { mode: 'live', everySeconds: 300, upstream: null, impatient: false }
const demo: CycleOrder = { ...live, mode: 'demo', upstream: 'http://127.0.0.1:1' }

it.each([
  ['goes on live when one source answers', live, recorded(43, 1), live],
  ['switches to the demo market when none does', live, recorded(43, 0), demo],
  ['stays live when no source was due', live, recorded(0, 0), live],
  ['stays live when another cycle ran', live, { outcome: 'skipped' } as const, live],
  [
    'never leaves --upstream',
    { ...demo, mode: 'upstream' },
    recorded(43, 0),
    { ...demo, mode: 'upstream' },
  ],
] as const)('%s', async (_, order, report, expected) => {
  const { orders, control } = controlThatSays(report)
  const settled = await firstCycle(control, order, async () => demo)

  expect(settled).toEqual(expected)
  expect(orders.at(-1)!.mode).toBe(expected.mode)
  expect(orders[0]!.impatient).toBe(order.mode === 'live')
})

it('gives up a network that does not answer after three hosts, each asked once', async () => {
  const asked: string[] = []
  const impatient = impatientFetch(async (input) => {
    asked.push(new URL(String(input)).host)
    throw new TypeError('unreachable')
  })
  const hosts = ['a', 'a', 'b', 'b', 'c', 'd', 'e']
  for (const host of hosts) await impatient(`https://${host}.example/`).catch(() => {})

  expect(asked).toEqual(['a.example', 'b.example', 'c.example'])
})

it('goes on asking when any host answers, with whatever', async () => {
  const asked: string[] = []
  const impatient = impatientFetch(async (input) => {
    const { host } = new URL(String(input))
    asked.push(host)
    if (host === 'a.example') return new Response(null, { status: 500 })
    throw new TypeError('unreachable')
  })
  for (const host of 'abcdefg') await impatient(`https://${host}.example/`).catch(() => {})

  expect(asked).toHaveLength(7)
})

function recorded(asked: number, answered: number): CycleReport {
  return { outcome: 'recorded', at: 0, changed: [], held: [], asked, answered, published: true }
}

function controlThatSays(report: CycleReport) {
  const orders: CycleOrder[] = []
  const control = {
    cycle: async (order: CycleOrder) => {
      orders.push(order)
      return report
    },
    sweep: async () => {},
  }
  return { orders, control }
}
