import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { createTestHarness } from 'wrangler'
import { sign } from '../../../shared/signature.ts'
import { createAuthority } from '../../../tools/receiver/authority.ts'
import type { Seed } from './engine-worker.ts'
import { answers, type Receiver, startReceiver } from './receiver.ts'

const SECRET = '0123456789abcdef'.repeat(4)
const authority = createAuthority()
let harness: ReturnType<typeof createTestHarness>
let healthy: Receiver
let hanging: Receiver
let failing: Receiver
const arrivals: { webhook: string; at: number }[] = []

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'))
  writeFileSync(join(folder, 'authority.pem'), authority.own.cert)
  process.env.NODE_EXTRA_CA_CERTS = join(folder, 'authority.pem')
  const names = ['healthy', 'hanging', 'failing'].map((name) => `${name}.example.com`)
  const certificate = authority.issue(names)
  healthy = await startReceiver(certificate, (socket, request, reset) => {
    arrivals.push({ webhook: /X-Service-Webhook-Id: (\S+)/.exec(request)![1]!, at: Date.now() })
    answers(204)(socket, request, reset)
  })
  hanging = await startReceiver(certificate, () => {})
  failing = await startReceiver(certificate, answers(500))

  const [first, second, third] = names as [string, string, string]
  const ports = { [first]: healthy.port, [second]: hanging.port, [third]: failing.port }
  // Loaded late: the authorities to trust are read when the module is.
  const wrangler = await import('wrangler')
  harness = wrangler.createTestHarness({
    workers: [
      {
        configPath: './test/node/delivery/engine.wrangler.toml',
        vars: { RECEIVERS: JSON.stringify(ports) },
      },
    ],
  })
  await harness.listen()
  await harness.getWorker('engine').applyD1Migrations('DB')
})
afterAll(async () => {
  await harness?.close()
  await Promise.all([healthy, hanging, failing].map((receiver) => receiver?.close()))
})

async function seed(webhooks: Seed['webhooks']): Promise<void> {
  await harness.fetch('http://localhost/', {
    method: 'POST',
    body: JSON.stringify({ secret: SECRET, webhooks } satisfies Seed),
  })
}

async function statuses(webhook: string): Promise<string[]> {
  const { DB } = (await harness.getWorker('engine').getEnv()) as { DB: D1Database }
  const { results } = await DB.prepare(
    'select status from deliveries where webhook_id like ?1 order by id',
  )
    .bind(webhook)
    .all<{ status: string }>()
  return results.map(({ status }) => status)
}

it('a change goes through queue, claim and socket to a signed POST, in order', async () => {
  await seed([{ id: 'first', host: 'healthy.example.com', deliveries: 3 }])

  await expect
    .poll(() => statuses('first'), { timeout: 10_000 })
    .toEqual(Array(3).fill('delivered'))
  expect(healthy.requests).toHaveLength(3)
  const [head, body] = healthy.requests[0]!.split('\r\n\r\n') as [string, string]
  const timestamp = Number(/X-Service-Timestamp: (\d+)/.exec(head)![1])
  expect(head).toContain(`X-Service-Signature: ${await sign(SECRET, timestamp, body)}`)
})

it('a receiver that is down is tried four times at the configured waits, then dead', async () => {
  await seed([{ id: 'down', host: 'failing.example.com', deliveries: 1 }])
  await expect.poll(() => statuses('down'), { timeout: 20_000 }).toEqual(['dead'])
  expect(failing.requests).toHaveLength(4)
})

it('receivers that hang do not hold up the others, where the queue hands out one batch at a time', async () => {
  await seed(
    Array.from({ length: 40 }, (_, index) => ({
      id: `hang-${index}`,
      host: 'hanging.example.com',
      deliveries: 1,
    })),
  )
  const startedAt = Date.now()
  await seed(
    Array.from({ length: 25 }, (_, index) => ({
      id: `well-${index}`,
      host: 'healthy.example.com',
      deliveries: 2,
    })),
  )

  await expect
    .poll(async () => (await statuses('well-%')).every((status) => status === 'delivered'), {
      timeout: 9000,
    })
    .toBe(true)
  // Every healthy one is through before the first hanging attempt meets its deadline of 10 s.
  expect(Date.now() - startedAt).toBeLessThan(9500)
  expect(hanging.open.size).toBeGreaterThan(0)
  expect(hanging.open.size).toBeLessThanOrEqual(6)
})
