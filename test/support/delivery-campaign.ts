import { expect } from 'vitest'
import { consume } from '../../workers/delivery/consume/consume.ts'
import { type DeliveryRequest, EgressFailure } from '../../workers/delivery/attempt/egress.ts'
import { Random } from '../../tools/prove/replay/kinds.ts'
import { aroundBatch, loseConnection } from './faulty-database.ts'
import { createFixture, message } from './delivery-fixture.ts'
import { expectSoundDeliveries } from './sound.ts'
import { seedRows } from './rows.ts'
import {
  NOW,
  readDeliveries,
  readOutstanding,
  readTallies,
  seedWebhook,
  setOutstanding,
} from './webhooks.ts'

const CONSUMERS = 4

/** What the receivers saw of the deliveries, by id. */
interface Seen {
  posts: string[]
  /** Attempts that were claimed but not sent: the consumer died before, or never got the claim. */
  unsent: string[]
  /** How often a delivery was sent while it was already in flight. */
  overlaps: number
}

/**
 * Runs `count` deliveries of `webhooks` webhooks to their end through every fault: receivers that
 * fail; a queue that drops, repeats and reorders; a database that loses answers; consumers that die
 * before and after the POST and whose last settle is lost; four consumers and two sweeps at once.
 * Then compares what the receivers saw with the tables.
 */
export async function runCampaign(count: number, webhooks: number, seed: number): Promise<void> {
  const chance = new Random(seed, 'deliveries')
  const random = () => chance.unit()
  await seedDeliveries(count, webhooks)
  const seen: Seen = { posts: [], unsent: [], overlaps: 0 }
  const active = new Set<string>()
  const db = aroundBatch(async (run) => {
    const results = await run()
    if (random() > 0.01) return results
    const claims = results.flatMap((one) => one.results as { deliveryId?: string }[])
    for (const { deliveryId } of claims) if (deliveryId) seen.unsent.push(deliveryId)
    return loseConnection()
  })
  const fixture = createFixture(() => 204, { random, db })
  for (const { id } of await readDeliveries()) fixture.messages.push({ deliveryId: id, at: NOW })

  for (let turn = 0; (await readOutstanding()) > 0; turn += 1) {
    if (turn > count * 20) throw new Error('the campaign does not end')
    const sweep = () => fixture.sweep().catch(() => {})
    await Promise.all([sweep(), consumeDue(), sweep()])
    fixture.set(fixture.at() + 20_000)
  }
  await expectSoundDeliveries(fixture.at())
  await expectCounted(seen)

  /** Runs four consumers at a time, until nothing is due. */
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
    let dying = 0
    let late = 0
    // A crash ends the whole isolate, with all its attempts in flight.
    const dies = () => {
      dying += 1
      crash.resolve()
      return new Promise<never>(() => {})
    }
    const run = await consume(
      {
        ...fixture.deps,
        // Time moves on, so that claims that wait beside a dead attempt are released.
        now: () => fixture.at() + (dying > 0 ? (late += 100) : 0),
        egress: (request) => receive(request, dies),
      },
      ids.map((deliveryId) => message({ v: 1, deliveryId })),
    )
    if (!run) return
    await Promise.race([run.finish(), crash.promise])
    // The dead consumer's other attempts end unseen, long before their leases.
    while (run.held > dying) await new Promise((resolve) => setTimeout(resolve, 0))
  }

  async function receive({ headers }: DeliveryRequest, dies: () => Promise<never>) {
    const delivery = headers['X-Service-Delivery-Id']!
    if (random() < 0.02) {
      seen.unsent.push(delivery)
      return dies()
    }
    if (active.has(delivery)) seen.overlaps += 1
    active.add(delivery)
    seen.posts.push(delivery)
    await Promise.resolve()
    active.delete(delivery)
    if (random() < 0.02) return dies()
    if (random() < 0.1) throw new EgressFailure('network')
    return { code: random() < 0.85 ? 204 : 500, retryAfter: null }
  }
}

async function expectCounted({ posts, unsent, overlaps }: Seen): Promise<void> {
  const rows = await readDeliveries()
  const attempts = Map.groupBy([...posts, ...unsent], (delivery) => delivery)
  for (const row of rows) {
    expect(row.resolvedAt).not.toBeNull()
    expect(row.attempts).toBe(attempts.get(row.deliveryId)?.length ?? 0)
  }
  expect(overlaps).toBe(0)

  const byDelivery = new Map(rows.map((row) => [row.deliveryId, row]))
  const lastOf = new Map<string, number>()
  for (const delivery of posts) {
    const { id, type, subscriptionId } = byDelivery.get(delivery)!
    if (type === 'manual') continue
    expect(id).toBeGreaterThanOrEqual(lastOf.get(subscriptionId) ?? 0)
    lastOf.set(subscriptionId, id)
  }
  const delivered = rows.filter(({ status }) => status === 'delivered')
  expect(delivered.length).toBeGreaterThan(rows.length / 4)
  expect(await readTallies()).toMatchObject({ delivered: delivered.length })
}

async function seedDeliveries(count: number, webhooks: number): Promise<void> {
  for (let index = 0; index < webhooks; index += 1)
    await seedWebhook({
      id: `webhook-${index}`,
      accountId: `account-${index}`,
      host: `h${index % 7}.example.com`,
    })
  await seedRows('deliveries', count, {
    subscription_id: `'webhook-' || (i % ${webhooks})`,
    destination: `'https://h' || (i % ${webhooks} % 7) || '.example.com/***'`,
    // Rows of another revision are cancelled.
    revision: `iif(i % 17 = 0, 2, 1)`,
    type: `case when i % 11 = 0 then 'manual' when i % 13 = 0 then 'sync' else 'automatic' end`,
    created_at: NOW,
    next_attempt_at: NOW,
    look_at: NOW,
  })
  await setOutstanding(count)
}

function shuffled<Value>(values: readonly Value[], random: () => number): Value[] {
  return values
    .map((value) => [random(), value] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, value]) => value)
}
