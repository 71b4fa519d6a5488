import { expect, it } from 'vitest'
import { openEngine, quantile } from '../delivery/engine.ts'
import { answers } from '../delivery/receiver.ts'

const HEALTHY = Array.from({ length: 50 }, (_, index) => `healthy${index}.example.com`)
const HANGING = Array.from({ length: 10 }, (_, index) => `hanging${index}.example.com`)

const BUSY = 'busy.example.com'

/** Short, so that the end of 500 attempts can be waited for. */
const DEADLINE_MS = 500

const open = () =>
  openEngine(
    {
      healthy: { names: [...HEALTHY, BUSY], behave: answers(204) },
      hanging: { names: HANGING, behave: () => {} },
    },
    { deadlineMs: String(DEADLINE_MS) },
  )

type Engine = Awaited<ReturnType<typeof open>>

/**
 * Milliseconds until the POSTs of 95 % of the healthy ones were there, with 500 deliveries to other
 * hosts just before them.
 */
async function deliverBeside(engine: Engine, name: string, hosts: string[]): Promise<number> {
  await engine.seed(
    Array.from({ length: 50 }, (_, index) => ({
      id: `${name}-${index}`,
      host: hosts[index % hosts.length]!,
      deliveries: 10,
    })),
  )
  const startedAt = Date.now()
  const own = `beside-${name}-`
  await engine.seed(HEALTHY.map((host, index) => ({ id: own + index, host, deliveries: 1 })))
  const waited = () =>
    engine.arrivals.filter(({ webhook }) => webhook.startsWith(own)).map(({ at }) => at - startedAt)
  await expect.poll(() => waited().length, { timeout: 60_000 }).toBe(HEALTHY.length)
  return quantile(0.95, waited())
}

async function openRows(engine: Engine): Promise<number> {
  await engine.sweep()
  const sql = `select count(*) as n from deliveries where status in ('pending', 'sending', 'failed')`
  return (await engine.query<{ n: number }>(sql))[0]!.n
}

/** Until all is sent or given up. */
const POLL = { timeout: 170_000, interval: 3000 }

/** With ten hosts they hold all the places that an isolate has, until a deadline frees some. */
it.each([1, 10])(
  '500 deliveries to %i hosts that hang: the healthy go on, and the 500 end as decided',
  async (hosts) => {
    await using engine = await open()
    const ended = () => expect.poll(() => openRows(engine), POLL).toBe(0)
    const besideBusy = await deliverBeside(engine, 'busy', [BUSY])
    await ended()
    const besideHanging = await deliverBeside(engine, 'hang', HANGING.slice(0, hosts))
    // No more than beside as many deliveries that somebody takes, and the turns of a few deadlines.
    expect(besideHanging).toBeLessThan(besideBusy + 4 * DEADLINE_MS)
    await ended()

    // Ten failed attempts pause a webhook: two deliveries are dead by then, eight are cancelled.
    const rows = await engine.query(
      `select status, count(*) as deliveries, sum(attempts) as attempts from deliveries
       where subscription_id like 'hang-%' group by status order by status`,
    )
    expect(rows).toEqual([
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
    expect(await engine.query('select outstanding from open_deliveries')).toEqual([
      { outstanding: 0 },
    ])
  },
  240_000,
)
