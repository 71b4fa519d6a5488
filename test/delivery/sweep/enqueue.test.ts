/** A queue that refuses: nothing is lost, and the sweeper enqueues what is left. */
import { describe, expect, it } from 'vitest'
import { type DeliveryQueue, enqueue, LONG_PAUSES_MS } from '../../../shared/webhooks/enqueue.ts'
import { aroundBatch } from '../../support/batched-db.ts'
import { countCost } from '../../support/counted-db.ts'
import { NOW } from '../../support/delivery-seeds.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import { env } from '../../support/env.ts'
import { createFragileQueue, deliver, seedWithoutHint } from '../../support/lost-hints.ts'

const MINUTE = 60_000
const COUNT = 10_000

/** Random numbers from a seed, so that a failure repeats. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

function sorted(ids: readonly number[]): number[] {
  return ids.toSorted((a, b) => a - b)
}

function enqueueAll(queue: DeliveryQueue, pausesMs?: readonly number[]) {
  return enqueue(
    { queue, now: () => NOW, sleep: async () => {} },
    numbers(350).map((id) => ({ id })),
    pausesMs,
  )
}

describe('batches that the queue refuses', () => {
  it('the second: all arrive, that one after the others', async () => {
    const { queue, taken } = createFragileQueue((call) => call === 2)
    expect(await enqueueAll(queue)).toMatchObject({ refused: 0 })

    const [first, second, third, fourth] = [0, 100, 200, 300].map((start) =>
      numbers(350).slice(start, start + 100),
    )
    expect(taken).toEqual([...first!, ...third!, ...fourth!, ...second!])
  })

  it.each([
    ['twice', undefined, 8],
    ['four times by a sweep', LONG_PAUSES_MS, 16],
  ])('all: each is tried %s', async (_, pausesMs, tries) => {
    const { queue, taken, calls } = createFragileQueue(() => true)
    expect(await enqueueAll(queue, pausesMs)).toEqual({ refused: 350, backlog: null })
    expect(taken).toEqual([])
    expect(calls()).toBe(tries)
  })
})

describe(`${COUNT} deliveries without a hint`, () => {
  it('are enqueued by one sweep, in batches of 100, each row read once', async () => {
    await seedWithoutHint(COUNT)
    const { queue, taken, calls } = createFragileQueue(() => false)
    const { db, cost } = countCost(env.DB)
    const fixture = createFixture(() => 204, { db, queue, capacity: 20_000 })
    fixture.set(NOW + MINUTE)
    await fixture.sweep()

    expect(sorted(taken)).toEqual(numbers(COUNT))
    expect(calls()).toBe(COUNT / 100)
    // Of each its two indexes, its row, and its mark. To read all twice would double it.
    expect(cost.read / COUNT).toBeLessThan(10)
    expect(cost.queries).toBeLessThan(200)
  })

  it('wait half a minute for the hint of their making', async () => {
    await seedWithoutHint(10)
    const fixture = createFixture()
    fixture.set(NOW + 29_999)
    await fixture.sweep()
    expect(fixture.messages).toEqual([])

    fixture.set(NOW + 30_000)
    await fixture.sweep()
    expect(fixture.messages).toHaveLength(10)
  })

  it('are enqueued within two minutes after a queue refused everything for ten', async () => {
    await seedWithoutHint(COUNT)
    let isDown = true
    const { queue, taken, calls } = createFragileQueue(() => isDown)
    const fixture = createFixture(() => 204, { queue, capacity: 20_000 })
    for (let minute = 1; minute <= 11; minute += 1) {
      isDown = minute < 10
      fixture.set(NOW + minute * MINUTE)
      await fixture.sweep()
      await deliver(taken)
      // A queue that is down does not get all of them every minute.
      if (isDown) expect(calls()).toBeLessThanOrEqual(minute * 20)
    }
    expect(sorted(taken)).toEqual(numbers(COUNT))
  })

  it.each([1, 2, 3])('and half the calls fail: all within two minutes (seed %i)', async (seed) => {
    await seedWithoutHint(COUNT)
    const next = random(seed)
    const { queue, taken } = createFragileQueue(() => next() < 0.5)
    const fixture = createFixture(() => 204, { queue, capacity: 20_000 })
    for (const minute of [1, 2, 3]) {
      fixture.set(NOW + minute * MINUTE)
      await fixture.sweep()
      await deliver(taken)
    }
    expect(sorted(taken)).toEqual(numbers(COUNT))
  })

  it('are not sent to a queue that may hold a hint for each already', async () => {
    await seedWithoutHint(COUNT)
    const { queue, taken } = createFragileQueue(() => false, 20_000)
    const fixture = createFixture(() => 204, { queue, capacity: 20_000 })
    fixture.set(NOW + MINUTE)
    await fixture.sweep()
    expect(taken).toHaveLength(500)
  })

  it('go on in another invocation at once when one has no time for all', async () => {
    await seedWithoutHint(COUNT)
    const { queue, taken } = createFragileQueue(() => false)
    let sweeps = 0
    const db = aroundBatch(async (run) => {
      fixture.set(fixture.at() + 2000)
      return run()
    })
    const fixture = createFixture(() => 204, { db, queue, capacity: 20_000 })
    fixture.deps.sweepAgain = async (message) => {
      sweeps += 1
      await deliver(taken)
      fixture.sweepMessages.push(message)
    }
    fixture.set(NOW + MINUTE)
    await fixture.sweep()

    expect(sorted(taken)).toEqual(numbers(COUNT))
    expect(sweeps).toBeGreaterThanOrEqual(3)
    expect(fixture.at() - NOW - MINUTE).toBeLessThan(2 * MINUTE)
  })
})
