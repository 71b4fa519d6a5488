import { expect } from 'vitest'
import { consume } from '../../workers/delivery/consume/consume.ts'
import { type DeliveryRequest, EgressFailure } from '../../workers/delivery/attempt/egress.ts'
import { NOW, readOutstanding, seedWebhook } from './webhooks.ts'
import { createFixture, message } from './delivery-fixture.ts'
import { env } from './env.ts'
import { fromNumbers, insertRows, setOpen } from '../../tools/prove/harness/rows.ts'

const CONSUMERS = 4

interface Row {
  id: number
  delivery_id: string
  subscription_id: string
  type: string
  status: string
  attempts: number
}

/**
 * Runs `count` deliveries of `webhooks` webhooks to their end through everything that can go wrong:
 * receivers that fail, a queue that drops, repeats and reorders, consumers that die before and
 * after the POST and whose last settle is lost, four of them at once, and sweeps in between. Then
 * checks what the receivers saw against what the tables say.
 */
export async function runCampaign(count: number, webhooks: number, seed: number): Promise<void> {
  const random = generator(seed)
  await seedDeliveries(count, webhooks)
  const log = new ReceiverLog()
  const fixture = createFixture(() => 204, { random })
  for (const { id } of await rows()) fixture.messages.push({ deliveryId: id, at: NOW })

  for (let turn = 0; (await openRows()) > 0; turn += 1) {
    if (turn > count * 20) throw new Error('the campaign does not end')
    await fixture.sweep()
    await consumeDue()
    fixture.set(fixture.at() + 20_000)
  }

  await check(log)

  /** Four consumers at a time, until nothing is due. */
  async function consumeDue(): Promise<void> {
    while (true) {
      const due = shuffled(
        fixture.messages.filter(({ at }) => at <= fixture.at()),
        random,
      ).slice(0, 5 * CONSUMERS)
      if (due.length === 0) return
      for (const one of due) fixture.messages.splice(fixture.messages.indexOf(one), 1)

      const delivered = due.filter(() => random() > 0.03)
      const repeated = delivered.filter(() => random() < 0.1)
      const ids = shuffled([...delivered, ...repeated], random).map(({ deliveryId }) => deliveryId)
      await Promise.all(
        Array.from({ length: CONSUMERS }, (_, index) =>
          consumeBatch(ids.filter((_, at) => at % CONSUMERS === index)),
        ),
      )
    }
  }

  async function consumeBatch(ids: number[]): Promise<void> {
    const crash = Promise.withResolvers<void>()
    // A crash takes the whole isolate, and whatever else it was sending.
    const dies = () => {
      crash.resolve()
      return new Promise<never>(() => {})
    }
    const run = await consume(
      { ...fixture.deps, egress: (request) => receive(request, dies) },
      ids.map((deliveryId) => message({ v: 1, deliveryId })),
    )
    await Promise.race([run?.finish(), crash.promise])
    // What else the dead consumer was sending ends unseen, long before the lease does.
    await new Promise((resolve) => setTimeout(resolve, 0))
  }

  async function receive({ headers }: DeliveryRequest, dies: () => Promise<never>) {
    const delivery = headers['X-Service-Delivery-Id']!
    if (random() < 0.02) {
      log.diedBefore(delivery)
      return dies()
    }
    const end = log.begin(delivery)
    await Promise.resolve()
    end()
    if (random() < 0.02) return dies()
    if (random() < 0.1) throw new EgressFailure('network')
    return { code: random() < 0.85 ? 204 : 500, retryAfter: null }
  }
}

/** What the receivers saw. */
class ReceiverLog {
  posts: string[] = []
  deaths = new Map<string, number>()
  #active = new Set<string>()
  overlaps = 0

  begin(delivery: string): () => void {
    if (this.#active.has(delivery)) this.overlaps += 1
    this.#active.add(delivery)
    this.posts.push(delivery)
    return () => this.#active.delete(delivery)
  }

  diedBefore(delivery: string) {
    this.deaths.set(delivery, (this.deaths.get(delivery) ?? 0) + 1)
  }
}

async function check(log: ReceiverLog): Promise<void> {
  const table = await rows()
  const seen = Map.groupBy(log.posts, (delivery) => delivery)
  const byDelivery = new Map(table.map((row) => [row.delivery_id, row]))

  for (const row of table) {
    expect(['delivered', 'dead', 'cancelled']).toContain(row.status)
    expect(row.attempts).toBeLessThanOrEqual(4)
    const posts = seen.get(row.delivery_id)?.length ?? 0
    expect(posts + (log.deaths.get(row.delivery_id) ?? 0)).toBe(row.attempts)
  }
  expect(log.overlaps).toBe(0)

  const lastOf = new Map<string, number>()
  for (const delivery of log.posts) {
    const { id, type, subscription_id: webhook } = byDelivery.get(delivery)!
    if (type === 'manual') continue
    expect(id).toBeGreaterThanOrEqual(lastOf.get(webhook) ?? 0)
    lastOf.set(webhook, id)
  }
  expect(table.filter(({ status }) => status === 'delivered').length).toBeGreaterThan(
    table.length / 4,
  )
  expect(await readOutstanding()).toBe(0)
}

async function seedDeliveries(count: number, webhooks: number): Promise<void> {
  for (let index = 0; index < webhooks; index += 1)
    await seedWebhook({ id: `webhook-${index}`, host: `h${index % 7}.example.com` })
  const columns = {
    subscription_id: `'webhook-' || (i % cast(?2 as integer))`,
    destination: `'https://h' || (i % cast(?2 as integer) % 7) || '.example.com/***'`,
    type: `case when i % 11 = 0 then 'manual' when i % 13 = 0 then 'sync' else 'automatic' end`,
    created_at: '?3',
    next_attempt_at: '?3',
    look_at: '?3',
  }
  await env.DB.batch([
    env.DB.prepare(insertRows('deliveries', columns, fromNumbers('?1'))).bind(count, webhooks, NOW),
    env.DB.prepare(setOpen(count)),
  ])
}

async function rows(): Promise<Row[]> {
  const { results } = await env.DB.prepare(
    'select id, delivery_id, subscription_id, type, status, attempts from deliveries order by id',
  ).all<Row>()
  return results
}

async function openRows(): Promise<number> {
  const row = await env.DB.prepare(
    `select count(*) as n from deliveries where status in ('pending', 'sending', 'failed')`,
  ).first<{ n: number }>()
  return row!.n
}

/** Random numbers that a seed repeats (mulberry32). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function shuffled<Value>(values: readonly Value[], random: () => number): Value[] {
  return values
    .map((value) => [random(), value] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, value]) => value)
}
