import { setTimeout as sleep } from 'node:timers/promises'
import { findPairByKey } from '../../shared/market/catalog.ts'
import { openLocal } from '../admin/open-local.ts'
import type { Arrival } from '../harness/arrivals-receiver.ts'
import { openDemoMarket } from '../demo-market/server.ts'
import { createControl } from '../local/control.ts'
import type { Met } from './fire.ts'
import type { Load, LoadOptions } from './load.ts'
import { seedFollowers } from './seed-followers.ts'
import { type LoadedService, openService, runningOf } from './service.ts'

const SUSPENDED = 10_000
const HOSTS = Array.from({ length: 12 }, (_, index) => `h${index}.example.com`)
/** A pair that moves whenever the market does. */
const pair = findPairByKey('usd/bolsa')!
const STEP_MS = 300_000
/** How long it may take from room to the last sync, the wait for the minute sweep included. */
const PROMISED_SECONDS = 120
/** As many places as DELIVERY_CAPACITY has. */
const EVERY_PLACE = 20_000

export const recovery: Load = {
  name: 'recovery',
  summary: `a change finds no capacity and suspends ${SUSPENDED} webhooks; then there is room`,
  run,
}

/** The market stands still but for one step, and no delivery has a place when it comes. */
async function run({ progress }: LoadOptions) {
  let instant = Date.now() - 2 * STEP_MS
  await using market = await openDemoMarket({ seed: 1, stepMs: STEP_MS, now: () => instant })
  await using service = await openService({
    args: ['--upstream', market.url],
    names: HOSTS,
    seed: (db, stateDir) => seedFollowers(db, { stateDir, count: SUSPENDED, hosts: HOSTS, pair }),
  })
  const { order, ...running } = runningOf(service)
  await service.arrivals()

  await setOutstanding(service, EVERY_PLACE)
  instant += STEP_MS
  await createControl(running).cycle(order)
  const { suspended } = await counts(service)
  if (suspended !== SUSPENDED) throw new Error(`${suspended} webhooks are suspended`)
  progress(`${suspended} webhooks suspended`)

  const result = await service.underWatch(async () => {
    await setOutstanding(service, 0)
    return untilSynced(service, Date.now(), progress)
  })
  // One burst on a fresh runtime: its memory is told, and judged by the loads that last.
  return { ...result, memory: { ...result.memory, grows: false } }
}

/** Until every webhook is active and has its sync, once; nothing but the service's own sweep runs. */
async function untilSynced(
  service: LoadedService,
  since: number,
  progress: (line: string) => void,
): Promise<Met> {
  const arrivals: Arrival[] = []
  let ended = { suspended: SUSPENDED, synced: 0, made: 0 }
  for (let second = 1; second <= 3 * PROMISED_SECONDS; second++) {
    await sleep(1000)
    arrivals.push(...(await service.arrivals()))
    if (second % 10 === 0) progress(`${arrivals.length} arrived after ${second} s`)
    if (arrivals.length < SUSPENDED) continue
    ended = await counts(service)
    if (ended.synced >= SUSPENDED) break
  }
  const times = arrivals.map(([, at]) => at - since).toSorted((a, b) => a - b)
  const at = (share: number) => times[Math.max(0, Math.ceil(share * times.length) - 1)] ?? 0
  const seconds = at(1) / 1000
  const unique = new Set(arrivals.map(([id]) => id)).size
  const problems = [
    ended.synced === SUSPENDED && ended.made === SUSPENDED && ended.suspended === 0
      ? ''
      : `of ${SUSPENDED} webhooks ${ended.synced} got their sync, of ${ended.made} made, and ${ended.suspended} stayed suspended`,
    arrivals.length === unique ? '' : `${arrivals.length - unique} arrived more than once`,
    seconds <= PROMISED_SECONDS ? '' : `it took ${seconds.toFixed(0)} s`,
  ].filter((problem) => problem !== '')

  return {
    requests: arrivals.length,
    perSecond: Math.round((1000 * arrivals.length) / Math.max(1, at(1) - at(0))),
    errors: problems.length,
    latency: { p50: at(0.5), p97_5: at(0.975), p99: at(0.99), max: at(1) },
    counts: { synced: ended.synced },
    problems,
    remarks: [
      `${seconds.toFixed(1)} s from room to the last of ${unique} syncs, of which the first arrived after ${(at(0) / 1000).toFixed(1)} s`,
    ],
  }
}

async function setOutstanding({ stateDir }: LoadedService, outstanding: number): Promise<void> {
  await using storage = await openLocal(stateDir)
  await storage.db
    .prepare(
      `insert into capacity (id, outstanding) values (1, ?1)
       on conflict (id) do update set outstanding = excluded.outstanding`,
    )
    .bind(outstanding)
    .run()
}

async function counts({ stateDir }: LoadedService) {
  await using storage = await openLocal(stateDir)
  const row = await storage.db
    .prepare(
      `select (select count(*) from webhooks where state = 'capacity') as suspended,
         (select count(*) from webhooks where state = 'active' and needs_sync = 0
           and synced_revision = revision) as synced,
         (select count(*) from deliveries where type = 'sync') as made`,
    )
    .first<{ suspended: number; synced: number; made: number }>()
  return row!
}
