import { setTimeout as sleep } from 'node:timers/promises'
import type { Instant } from '../../shared/argentine-time.ts'
import { findPairByKey, pairKey } from '../../shared/market/catalog.ts'
import { openLocal } from '../admin/open-local.ts'
import type { Arrival } from '../harness/arrivals-receiver.ts'
import { openDemoMarket } from '../demo-market/server.ts'
import { createControl } from '../local/control.ts'
import type { Met } from './fire.ts'
import type { Load, LoadOptions } from './load.ts'
import { seedFollowers } from './seed-followers.ts'
import { type LoadedService, openService, runningOf } from './service.ts'

const FOLLOWERS = 10_000
const HOSTS = Array.from({ length: 12 }, (_, index) => `h${index}.example.com`)
/** A pair that moves whenever the market does. */
const pair = findPairByKey('usd/bolsa')!
/** One step of the market. */
const STEP_MS = 300_000
/** How long all of it may take. */
const PATIENCE_SECONDS = 600

export const followersOfMany: Load = {
  name: 'followers',
  summary: `one pair changes, ${FOLLOWERS} webhooks on ${HOSTS.length} hosts follow it`,
  run: (options) => run(options, HOSTS),
}

export const followersOfOne: Load = {
  name: 'followers-one-host',
  summary: `one pair changes, ${FOLLOWERS} webhooks on one host follow it`,
  run: (options) => run(options, HOSTS.slice(0, 1)),
}

/** The market stands still but for one step, so that the pair changes once. */
async function run({ progress }: LoadOptions, hosts: readonly string[]) {
  let instant = Date.now() - 2 * STEP_MS
  await using market = await openDemoMarket({ seed: 1, stepMs: STEP_MS, now: () => instant })
  await using service = await openService({
    args: ['--upstream', market.url],
    names: hosts,
    seed: (db, stateDir) => seedFollowers(db, { stateDir, count: FOLLOWERS, hosts, pair }),
  })
  const { order, ...running } = runningOf(service)
  await service.arrivals()

  const result = await service.underWatch(async () => {
    instant += STEP_MS
    const report = await createControl(running).cycle(order)
    if (report.outcome !== 'recorded' || !report.changed.includes(pairKey(pair)))
      throw new Error(`no change: ${JSON.stringify(report)}`)
    progress('changed')
    return followTo(service, report.at, progress)
  })
  // One burst on a fresh runtime: its memory is told, and judged by the loads that last.
  return { ...result, memory: { ...result.memory, grows: false } }
}

/** Until nothing is open any more; then every webhook must have got its delivery, once. */
async function followTo(
  service: LoadedService,
  changedAt: Instant,
  progress: (line: string) => void,
): Promise<Met> {
  const arrivals: Arrival[] = []
  for (let second = 1; second <= PATIENCE_SECONDS; second++) {
    await sleep(1000)
    arrivals.push(...(await service.arrivals()))
    if (second % 10 === 0) progress(`${arrivals.length} arrived after ${second} s`)
    if (arrivals.length >= FOLLOWERS && (await outstanding(service)) === 0) break
  }
  const ids = new Set(arrivals.map(([id]) => id))
  const last = Math.max(...arrivals.map(([, at]) => at))
  const { once, made } = await ended(service)
  const problems = [
    ids.size === FOLLOWERS ? '' : `${ids.size} of ${FOLLOWERS} deliveries arrived`,
    arrivals.length === ids.size ? '' : `${arrivals.length - ids.size} arrived more than once`,
    once === FOLLOWERS && made === FOLLOWERS
      ? ''
      : `${once} of ${made} deliveries, ${FOLLOWERS} expected, ended delivered at their first attempt`,
  ].filter((problem) => problem !== '')

  const seconds = (last - changedAt) / 1000
  const times = arrivals.map(([, at]) => at - changedAt).toSorted((a, b) => a - b)
  const at = (share: number) => times[Math.ceil(share * times.length) - 1] ?? 0
  return {
    requests: arrivals.length,
    perSecond: Math.round(arrivals.length / seconds),
    errors: problems.length,
    latency: { p50: at(0.5), p97_5: at(0.975), p99: at(0.99), max: at(1) },
    counts: { delivered: once },
    problems,
    remarks: [`${seconds.toFixed(1)} s from the change to the last of ${ids.size} deliveries`],
  }
}

/** Deliveries accepted and not finished, as the status read tells it every ten seconds. */
async function outstanding({ url }: LoadedService): Promise<number> {
  const response = await fetch(`${url}/api/v2/status`)
  const { deliveries } = (await response.json()) as { deliveries: { outstanding: number } | null }
  return deliveries?.outstanding ?? Infinity
}

async function ended({ stateDir }: LoadedService): Promise<{ once: number; made: number }> {
  await using storage = await openLocal(stateDir)
  const row = await storage.db
    .prepare(
      `select count(*) as made, count(distinct iif(status = 'delivered' and attempts = 1,
         webhook_id, null)) as once from deliveries`,
    )
    .first<{ once: number; made: number }>()
  return row!
}
