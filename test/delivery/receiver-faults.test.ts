/** What becomes of a delivery's row, for each way in which an attempt can end. */
import { expect, it } from 'vitest'
import { LEASE_MS } from '../../shared/db/deliveries/open.ts'
import { DEADLINE_MS } from '../../workers/delivery/attempt/attempt.ts'
import {
  type Egress,
  EgressFailure,
  type ResponseHead,
} from '../../workers/delivery/attempt/egress.ts'
import {
  deliveryRow,
  NOW,
  seedDelivery,
  seedWebhook,
  webhookRow,
} from '../support/delivery-seeds.ts'
import { createFixture } from '../support/delivery-fixture.ts'

const answers = (code: number, retryAfter: string | null = null): Egress => {
  const head: ResponseHead = { code, retryAfter }
  return async () => head
}
const fails = (errorType: 'network' | 'destination'): Egress => {
  return async () => {
    throw new EgressFailure(errorType)
  }
}
/** Answers nothing, and keeps on when it is told to stop. */
const hangs: Egress = (_, signal) =>
  new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error)),
  )

async function rowAfter(egress: Egress, attempts = 0) {
  const webhook = await seedWebhook()
  const id = await seedDelivery(webhook, { status: attempts ? 'failed' : 'pending', attempts })
  await createFixture(() => 204, { egress, deadlineMs: 50 }).hint(id)

  const { status, attempts: counted, code, error_type: error, ...row } = (await deliveryRow(id))!
  const seconds = (Number(row['next_attempt_at']) - NOW) / 1000
  const failures = (await webhookRow(webhook))!['consecutive_failures']
  return { status, attempts: counted, code, error, seconds, failures }
}

it.each<[string, Egress, object]>([
  ['a redirect', answers(308), { code: 308, error: 'redirect' }],
  ['410, which stops nothing', answers(410), { code: 410, error: 'http' }],
  ['no response', fails('network'), { code: null, error: 'network' }],
  ['a host that may not be reached', fails('destination'), { code: null, error: 'destination' }],
  ['nothing before the deadline', hangs, { code: null, error: 'timeout' }],
])('%s fails, counts, and is tried again after the first wait', async (_, egress, expected) => {
  const failed = { status: 'failed', attempts: 1, seconds: 30, failures: 1 }
  expect(await rowAfter(egress)).toEqual({ ...failed, ...expected })
})

it('Retry-After lengthens a wait up to twice, never shortens it, and makes no fifth attempt', async () => {
  const rows: [attempts: number, retryAfter: string, seconds: number][] = [
    [0, '0', 30],
    [0, '5', 30],
    [0, '45', 45],
    [0, '60', 60],
    [0, '1000000000', 60],
    [0, 'soon', 30],
    [0, new Date(NOW + 50_000).toUTCString(), 50],
    [1, '45', 300],
    [1, '1000000000', 600],
    [2, '1000000000', 3600],
  ]
  for (const [attempts, retryAfter, seconds] of rows)
    expect(await rowAfter(answers(429, retryAfter), attempts), retryAfter).toMatchObject({
      status: 'failed',
      seconds,
    })
  expect(await rowAfter(answers(503, '60'))).toMatchObject({ status: 'failed', seconds: 60 })
  expect(await rowAfter(answers(429, '5'), 3)).toMatchObject({ status: 'dead', attempts: 4 })
})

it('a lease outlives the deadline of its attempt, with the time to write how it ended', () => {
  // The pauses between four tries to write it are 4.2 seconds together.
  expect(LEASE_MS).toBeGreaterThanOrEqual(DEADLINE_MS + 4200 + 5000)
})
