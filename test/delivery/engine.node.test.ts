import { afterAll, beforeAll, expect, it } from 'vitest'
import { sign } from '../../workers/delivery/attempt/headers.ts'
import { openEngine, quantile, SECRET } from './engine.ts'
import { answers } from './receiver.ts'

const HEALTHY = Array.from({ length: 50 }, (_, index) => `healthy${index}.example.com`)

let engine: Awaited<ReturnType<typeof openEngine>>
beforeAll(async () => {
  engine = await openEngine({
    healthy: { names: HEALTHY, behave: answers(204) },
    hanging: { names: ['hanging.example.com'], behave: () => {} },
    failing: { names: ['failing.example.com'], behave: answers(500) },
  })
})
afterAll(() => engine?.[Symbol.asyncDispose]())

async function statuses(webhook: string): Promise<string[]> {
  const rows = await engine.query<{ status: string }>(
    'select status from deliveries where subscription_id like ?1 order by id',
    webhook,
  )
  return rows.map(({ status }) => status)
}

it('a change goes through queue, claim and socket to a signed POST, in order', async () => {
  await engine.seed([{ id: 'first', host: HEALTHY[0]!, deliveries: 3 }])

  await expect
    .poll(() => statuses('first'), { timeout: 10_000, interval: 200 })
    .toEqual(Array(3).fill('delivered'))
  expect(engine.arrivals.map(({ delivery }) => delivery)).toEqual(['first 1', 'first 2', 'first 3'])
  const [head, body] = engine.receivers['healthy']!.requests[0]!.split('\r\n\r\n') as [
    string,
    string,
  ]
  const timestamp = Number(/X-Service-Timestamp: (\d+)/.exec(head)![1])
  expect(head).toContain(`X-Service-Signature: ${await sign(SECRET, timestamp, body)}`)
})

it('a receiver that is down is tried four times at the configured waits, then dead', async () => {
  await engine.seed([{ id: 'down', host: 'failing.example.com', deliveries: 1 }])
  await expect.poll(() => statuses('down'), { timeout: 20_000, interval: 200 }).toEqual(['dead'])
  const posts = engine.arrivals.filter(({ webhook }) => webhook === 'down')
  expect(new Set(posts.map(({ delivery }) => delivery)).size).toBe(1)
  expect(posts).toHaveLength(4)
  // A second each, a fifth more or less.
  for (const [index, { at }] of posts.slice(1).entries())
    expect(at - posts[index]!.at).toBeGreaterThanOrEqual(790)
})

/**
 * Where the queue hands out one batch at a time. The hints of the receiver that hangs cost a claim
 * each on the way, less than a second in all on a machine that is not busy, and what it holds is its
 * own few places. So nobody waits for its deadline, of ten seconds. The campaign has 500, and sees
 * them end.
 */
it('beside 250 deliveries to a receiver that hangs, 95 of 100 healthy ones wait for no deadline', async () => {
  await engine.seed(
    Array.from({ length: 50 }, (_, index) => ({
      id: `hang-${index}`,
      host: 'hanging.example.com',
      deliveries: 5,
    })),
  )
  const startedAt = Date.now()
  await engine.seed(HEALTHY.map((host, index) => ({ id: `well-${index}`, host, deliveries: 1 })))

  await expect
    .poll(async () => (await statuses('well-%')).every((status) => status === 'delivered'), {
      timeout: 20_000,
      interval: 200,
    })
    .toBe(true)
  const waited = engine.arrivals
    .filter(({ webhook }) => webhook.startsWith('well-'))
    .map(({ at }) => at - startedAt)
  expect(waited).toHaveLength(50)
  expect(quantile(0.95, waited)).toBeLessThan(9000)
  expect(engine.receivers['hanging']!.open.size).toBeGreaterThan(0)
})
