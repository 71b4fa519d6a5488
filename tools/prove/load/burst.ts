/** What followers and recovery share: one change of a still market, for many webhooks at once. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instant } from '../../../shared/argentine-time.ts'
import { openKeyring } from '../../../shared/crypto/keyring.ts'
import { findPairByKey } from '../../../shared/market/catalog.ts'
import { openLocal } from '../../operate/admin/open-local.ts'
import { openDemoMarket } from '../../operate/demo-market/server.ts'
import type { Arrival } from '../harness/arrivals-receiver.ts'
import { seedWebhooks } from '../harness/seed-webhooks.ts'
import { createControl, findRunning } from '../../operate/local/running.ts'
import { localSecrets } from '../../operate/local/secrets.ts'
import type { Met } from './fire.ts'
import type { LoadResult } from './load.ts'
import { type LoadedService, openService } from './service.ts'

export const WEBHOOKS = 10_000
export const HOSTS = Array.from({ length: 12 }, (_, index) => `h${index}.example.com`)
/** A pair that moves whenever the market does. */
export const pair = findPairByKey('usd/bolsa')!
const STEP_MS = 300_000

export type Burst = Awaited<ReturnType<typeof openBurst>>

/** A service whose market stands still, with many webhooks on one pair. */
export async function openBurst(hosts: readonly string[]) {
  await using stack = new AsyncDisposableStack()
  let instant = Date.now() - 2 * STEP_MS
  const market = stack.use(await openDemoMarket({ seed: 1, stepMs: STEP_MS, now: () => instant }))
  const service = stack.use(
    await openService({
      args: ['--upstream', market.url],
      names: hosts,
      seed: async (db, stateDir) => {
        const keyring = openKeyring(localSecrets(stateDir).KEY_ENCRYPTION_KEYS)
        await seedWebhooks(db, { count: WEBHOOKS, hosts, pairId: pair.id, keyring })
      },
    }),
  )
  const { order, ...running } = (await findRunning(service.stateDir))!
  await service.arrivals()
  const owned = stack.move()
  return {
    service,
    /** Moves the market by one step and runs a cycle. */
    change() {
      instant += STEP_MS
      return createControl(running).cycle(order)
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Watches one burst. It reports memory but does not judge it: the runtime is fresh. */
export async function watchBurst(
  { service }: Burst,
  work: () => Promise<Met>,
): Promise<LoadResult> {
  const result = await service.underWatch(work)
  return { ...result, memory: { ...result.memory, grows: false } }
}

/** Collects what arrives, second by second, until `isOver`. */
export async function collectArrivals(
  service: LoadedService,
  { seconds, progress }: { seconds: number; progress: (line: string) => void },
  isOver: (arrived: number) => Promise<boolean>,
): Promise<Arrival[]> {
  const arrivals: Arrival[] = []
  for (let second = 1; second <= seconds; second++) {
    await sleep(1000)
    arrivals.push(...(await service.arrivals()))
    if (second % 10 === 0) progress(`${arrivals.length} arrived after ${second} s`)
    if (await isOver(arrivals.length)) break
  }
  return arrivals
}

/** Times from an instant to the arrivals; and how many came more than once. */
export function timesOf(arrivals: readonly Arrival[], since: Instant) {
  const times = arrivals.map(([, at]) => at - since).toSorted((a, b) => a - b)
  const at = (share: number) => times[Math.max(0, Math.ceil(share * times.length) - 1)] ?? 0
  const unique = new Set(arrivals.map(([id]) => id)).size
  const repeated = arrivals.length - unique
  return {
    unique,
    at,
    latency: { p50: at(0.5), p97_5: at(0.975), p99: at(0.99), max: at(1) },
    repeats: repeated === 0 ? [] : [`${repeated} arrived more than once`],
  }
}

/** One row of a query over the service's own database. */
export async function readRow<Row>({ stateDir }: LoadedService, sql: string): Promise<Row> {
  await using storage = await openLocal(stateDir)
  return (await storage.db.prepare(sql).first<Row>())!
}
