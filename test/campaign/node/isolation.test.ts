import { expect, it } from 'vitest'
import { openEngine, quantile } from '../../node/delivery/engine.ts'
import { answers } from '../../node/delivery/receiver.ts'

const HEALTHY = Array.from({ length: 50 }, (_, index) => `healthy${index}.example.com`)
const HANGING = Array.from({ length: 10 }, (_, index) => `hanging${index}.example.com`)

/** Short, so that the end of 500 attempts can be waited for. */
const DEADLINE_MS = 500

/** A hundred batches of hints are claimed before those of the healthy ones, on a busy machine. */
const BOUND_MS = 10_000

const open = () =>
  openEngine(
    {
      healthy: { names: HEALTHY, behave: answers(204) },
      hanging: { names: HANGING, behave: () => {} },
    },
    { deadlineMs: String(DEADLINE_MS) },
  )

type Engine = Awaited<ReturnType<typeof open>>

/** Milliseconds until the POST of each healthy one was there. */
async function deliverHealthy(engine: Engine): Promise<number[]> {
  const startedAt = Date.now()
  await engine.seed(HEALTHY.map((host, index) => ({ id: `well-${index}`, host, deliveries: 1 })))
  const waited = () =>
    engine.arrivals
      .filter(({ webhook }) => webhook.startsWith('well-'))
      .map(({ at }) => at - startedAt)
  await expect.poll(() => waited().length, { timeout: 60_000 }).toBe(HEALTHY.length)
  return waited()
}

/** With ten hosts they hold all the places that an isolate has, until a deadline frees some. */
it.each([1, 10])(
  '500 deliveries to %i hosts that hang: the healthy go on, and the 500 end as decided',
  async (hosts) => {
    await using engine = await open()
    await engine.seed(
      Array.from({ length: 50 }, (_, index) => ({
        id: `hang-${index}`,
        host: HANGING[index % hosts]!,
        deliveries: 10,
      })),
    )
    expect(quantile(0.95, await deliverHealthy(engine))).toBeLessThan(BOUND_MS)

    const openRows = async () => {
      await engine.sweep()
      const sql = `select count(*) as n from deliveries
        where status in ('pending', 'sending', 'failed')`
      return (await engine.query<{ n: number }>(sql))[0]!.n
    }
    await expect.poll(openRows, { timeout: 170_000, interval: 3000 }).toBe(0)

    // Ten failed attempts pause a webhook: two deliveries are dead by then, eight are cancelled.
    const ended = await engine.query(
      `select status, count(*) as deliveries, sum(attempts) as attempts from deliveries
       where webhook_id like 'hang-%' group by status order by status`,
    )
    expect(ended).toEqual([
      { status: 'cancelled', deliveries: 400, attempts: 100 },
      { status: 'dead', deliveries: 100, attempts: 400 },
    ])
    // On a busy machine the short deadline can pass before the request is there.
    const { requests } = engine.receivers['hanging']!
    expect(requests.length).toBeGreaterThan(250)
    expect(requests.length).toBeLessThanOrEqual(500)
    expect(await engine.query('select distinct episode, count(*) as n from notices')).toEqual([
      { episode: 1, n: 50 },
    ])
    expect(await engine.query('select outstanding from capacity')).toEqual([{ outstanding: 0 }])
  },
  240_000,
)
