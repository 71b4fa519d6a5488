import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuthority } from '../../../tools/harness/authority.ts'
import type { Seed } from './engine-worker.ts'
import { type Behaviour, type Receiver, startReceiver } from './receiver.ts'

export const SECRET = '0123456789abcdef'.repeat(4)

/** Receivers by the part that they play, and the host names that stand for each. */
export type Parts = Record<string, { names: string[]; behave: Behaviour }>

export interface Arrival {
  webhook: string
  delivery: string
  at: number
}

/** One for the process: what its runtimes trust is read once. */
const authority = createAuthority()

/** The delivery Worker with its queue and D1 in workerd, and the receivers that it delivers to. */
export async function openEngine(parts: Parts, { deadlineMs = '' } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'))
  writeFileSync(join(folder, 'authority.pem'), authority.own.cert)
  process.env['NODE_EXTRA_CA_CERTS'] = join(folder, 'authority.pem')

  const arrivals: Arrival[] = []
  const receivers: Record<string, Receiver> = {}
  const ports: Record<string, number> = {}
  for (const [part, { names, behave }] of Object.entries(parts)) {
    receivers[part] = await startReceiver(authority.issue(names), (socket, request, reset) => {
      arrivals.push({ ...idsOf(request), at: Date.now() })
      behave(socket, request, reset)
    })
    for (const name of names) ports[name] = receivers[part].port
  }

  // Loaded late: the authorities to trust are read when the module is.
  const wrangler = await import('wrangler')
  const harness = wrangler.createTestHarness({
    workers: [
      {
        configPath: './test/node/delivery/engine.wrangler.toml',
        vars: { RECEIVERS: JSON.stringify(ports), DEADLINE_MS: deadlineMs },
      },
    ],
  })
  await harness.listen()
  const worker = harness.getWorker('engine')
  await worker.applyD1Migrations('DB')
  const database = async () => ((await worker.getEnv()) as { DB: D1Database }).DB

  return {
    receivers,
    /** Every whole request, as it came. */
    arrivals,
    /** Stores webhooks with deliveries, and enqueues these. */
    async seed(webhooks: Seed['webhooks']): Promise<void> {
      await harness.fetch('http://localhost/', {
        method: 'POST',
        body: JSON.stringify({ secret: SECRET, webhooks } satisfies Seed),
      })
    },
    database,
    async query<Row>(sql: string, ...values: unknown[]): Promise<Row[]> {
      const { results } = await (
        await database()
      )
        .prepare(sql)
        .bind(...values)
        .all<Row>()
      return results
    },
    sweep: () => worker.scheduled({ cron: '* * * * *', scheduledTime: new Date() }),
    async [Symbol.asyncDispose]() {
      await harness.close()
      await Promise.all(Object.values(receivers).map((receiver) => receiver.close()))
    },
  }
}

/** The value below which so large a share of the values is. */
export function quantile(share: number, values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1]!
}

function idsOf(request: string) {
  const header = (name: string) => new RegExp(`\r\nX-Service-${name}: (.*)`).exec(request)![1]!
  return { webhook: header('Webhook-Id'), delivery: header('Delivery-Id') }
}
