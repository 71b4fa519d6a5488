import type { Instant } from '../../../shared/argentine-time.ts'
import { pairKey } from '../../../shared/market/catalog.ts'
import { problemsIn } from '../harness/findings.ts'
import {
  collectArrivals,
  HOSTS,
  openBurst,
  pair,
  readRow,
  timesOf,
  watchBurst,
  WEBHOOKS,
} from './burst.ts'
import type { Met } from './fire.ts'
import type { Load, LoadOptions } from './load.ts'
import type { LoadedService } from './service.ts'

const PATIENCE_SECONDS = 600

export const followersOfMany: Load = {
  name: 'followers',
  summary: `one pair changes, ${WEBHOOKS} webhooks on ${HOSTS.length} hosts follow it`,
  run: (options) => run(options, HOSTS),
}

export const followersOfOne: Load = {
  name: 'followers-one-host',
  summary: `one pair changes, ${WEBHOOKS} webhooks on one host follow it`,
  run: (options) => run(options, HOSTS.slice(0, 1)),
}

async function run({ progress }: LoadOptions, hosts: readonly string[]) {
  await using burst = await openBurst(hosts)
  return await watchBurst(burst, async () => {
    const report = await burst.change()
    if (report.outcome !== 'recorded' || !report.changed.includes(pairKey(pair)))
      throw new Error(`no change: ${JSON.stringify(report)}`)
    progress('changed')
    return followTo(burst.service, report.at, progress)
  })
}

/** Waits until nothing is open. Then every webhook must have got its delivery once. */
async function followTo(
  service: LoadedService,
  changedAt: Instant,
  progress: (line: string) => void,
): Promise<Met> {
  const patience = { seconds: PATIENCE_SECONDS, progress }
  const arrivals = await collectArrivals(
    service,
    patience,
    async (arrived) => arrived >= WEBHOOKS && (await outstanding(service)) === 0,
  )
  const { at, unique, latency, repeats } = timesOf(arrivals, changedAt)
  const { once, made } = await readRow<{ once: number; made: number }>(
    service,
    `select count(*) as made, count(distinct iif(status = 'delivered' and attempts = 1,
       receiver_id, null)) as once from deliveries`,
  )
  const ended = `${once} of ${made} deliveries, ${WEBHOOKS} expected, ended delivered at their first attempt`
  const problems = [
    ...repeats,
    ...problemsIn([
      [unique !== WEBHOOKS, `${unique} of ${WEBHOOKS} deliveries arrived`],
      [once !== WEBHOOKS || made !== WEBHOOKS, ended],
    ]),
  ]
  const seconds = at(1) / 1000
  return {
    requests: arrivals.length,
    perSecond: Math.round(arrivals.length / seconds),
    errors: problems.length,
    latency,
    counts: { delivered: once },
    problems,
    remarks: [`${seconds.toFixed(1)} s from the change to the last of ${unique} deliveries`],
  }
}

/** Deliveries accepted and not finished, as the status read tells it every ten seconds. */
async function outstanding({ url }: LoadedService): Promise<number> {
  const response = await fetch(`${url}/api/v2/status`)
  const { deliveries } = (await response.json()) as { deliveries: { outstanding: number } | null }
  return deliveries?.outstanding ?? Infinity
}
