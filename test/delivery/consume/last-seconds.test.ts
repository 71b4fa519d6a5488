/** What an invocation does in the 30 seconds after its handler returned. */
import { expect, it } from 'vitest'
import type { Instant } from '../../../shared/argentine-time.ts'
import { MAX_CONNECTIONS } from '../../../workers/delivery/consume/run.ts'
import { consume } from '../../../workers/delivery/consume/consume.ts'
import { aroundBatch } from '../../support/faulty-database.ts'
import { NOW, insertDelivery, seedWebhook } from '../../support/webhooks.ts'
import { createFixture, message } from '../../support/delivery-fixture.ts'
import { countRows } from '../../support/rows.ts'

const PLATFORM_MS = 30_000

/** More deliveries of one webhook than there is time for. */
const ROWS = 12

/** How long the receiver takes at first: enough for `ROWS` to last. */
const QUICK_MS = 1900

/** Seeds a webhook with its deliveries. Returns the first one, which alone may be sent. */
async function seedOne(): Promise<number> {
  const webhook = await seedWebhook()
  const ids: number[] = []
  for (let row = 0; row < ROWS; row += 1) ids.push(await insertDelivery(webhook))
  return ids[0]!
}

/** A clock that moves to the next timer when all other work is waiting. */
function createTime() {
  let timers: { at: Instant; ring: () => void }[] = []
  let now = NOW
  let busy = 0
  return {
    now: () => now,
    sleep: (ms: number) => new Promise<void>((ring) => void timers.push({ at: now + ms, ring })),

    /** The clock does not move during this work, which ends in real time. */
    async standing<Value>(work: () => Promise<Value>): Promise<Value> {
      busy += 1
      return work().finally(() => (busy -= 1))
    },

    /** The value of `work`. Its duration is measured by this clock. */
    async run<Value>(work: Promise<Value>): Promise<Value> {
      let isOver = false
      void work.then(() => (isOver = true))
      while (true) {
        // Four turns of the event loop without database calls count as waiting.
        for (let quiet = 0; quiet < 4; quiet = busy > 0 ? 0 : quiet + 1)
          await new Promise((resolve) => setTimeout(resolve, 0))
        if (isOver) return work
        timers = timers.toSorted((one, other) => one.at - other.at)
        const next = timers.shift()
        if (!next) throw new Error('nothing moves any more')
        now = next.at
        next.ring()
      }
    },
  }
}

/**
 * Runs one invocation with too much work. Times are milliseconds since its handler returned:
 * `databaseMs` gives the duration of a database call that begins at a time; from `slowFromMs` on
 * receivers take almost ten seconds.
 */
async function invoke(databaseMs: (sinceStart: number) => number, slowFromMs: number) {
  const ids = await Promise.all(Array.from({ length: MAX_CONNECTIONS }, seedOne))
  const time = createTime()
  const db = aroundBatch(async (run) => {
    const ms = databaseMs(time.now() - NOW)
    await time.sleep(ms / 2)
    const results = await time.standing(run)
    await time.sleep(ms / 2)
    return results
  })
  const answeredAt: number[] = []
  let slow = 0
  const fixture = createFixture(
    async () => {
      const isQuick = time.now() - NOW < slowFromMs
      // At different times; otherwise all outcomes would share one settle.
      await time.sleep(isQuick ? QUICK_MS : 9999 - 700 * (slow++ % 3))
      answeredAt.push(time.now())
      return 204
    },
    { db, now: time.now, sleep: time.sleep },
  )
  const batch = ids.map((deliveryId) => message({ v: 1, deliveryId }))
  const run = await time.run(consume(fixture.deps, batch))
  const returnedAt = time.now()
  await time.run(run!.finish())

  return {
    posts: fixture.posts.length,
    lastAnswerMs: Math.max(...answeredAt) - returnedAt,
    endMs: time.now() - returnedAt,
    delivered: await countRows('deliveries', { status: 'delivered' }),
    sending: await countRows('deliveries', { status: 'sending' }),
  }
}

it.each([9900, 11_900, 14_900])(
  'the last receiver answers four seconds before the platform’s limit, although claims take 3.9 s from %i ms on',
  async (from) => {
    const { lastAnswerMs, posts, delivered } = await invoke(
      (sinceStart) => (sinceStart >= from ? 3900 : 4),
      from + 50,
    )
    expect(lastAnswerMs).toBeLessThanOrEqual(PLATFORM_MS - 4000)
    expect(posts).toBeGreaterThan(20)
    expect(delivered).toBe(posts)
  },
)

it.each([0, 8000, 10_000, 11_000, 12_000, 14_000])(
  'every 2xx is recorded when each database call takes two seconds and receivers are slow from %i ms on',
  async (slowFromMs) => {
    const { endMs, posts, delivered, sending } = await invoke(() => 2000, slowFromMs)
    expect(endMs).toBeLessThan(PLATFORM_MS)
    expect(posts).toBeGreaterThan(4)
    expect({ delivered, sending }).toEqual({ delivered: posts, sending: 0 })
  },
)
