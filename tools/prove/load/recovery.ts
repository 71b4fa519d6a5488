import { openLocal } from '../../operate/admin/open-local.ts'
import { problemsIn } from '../harness/findings.ts'
import {
  collectArrivals,
  HOSTS,
  openBurst,
  readRow,
  timesOf,
  watchBurst,
  WEBHOOKS,
} from './burst.ts'
import type { Met } from './fire.ts'
import type { Load, LoadOptions } from './load.ts'
import type { LoadedService } from './service.ts'
import { setOpen } from '../harness/rows.ts'

/**
 * How long it may take from the first capacity to the last sync, with the wait for the minute
 * sweep.
 */
const PROMISED_SECONDS = 120
/** As many outstanding deliveries as DELIVERY_CAPACITY allows. */
const FULL = 20_000

export const recovery: Load = {
  name: 'recovery',
  summary: `a change finds no capacity and suspends ${WEBHOOKS} webhooks; then there is room`,
  run,
}

async function run({ progress }: LoadOptions) {
  await using burst = await openBurst(HOSTS)
  const { service } = burst
  await setOutstanding(service, FULL)
  await burst.change()
  const { suspended } = await counts(service)
  if (suspended !== WEBHOOKS) throw new Error(`${suspended} webhooks are suspended`)
  progress(`${suspended} webhooks suspended`)

  return await watchBurst(burst, async () => {
    await setOutstanding(service, 0)
    return untilSynced(service, Date.now(), progress)
  })
}

/** Waits until every webhook is active and has its sync once. Only the service's own sweep runs. */
async function untilSynced(
  service: LoadedService,
  since: number,
  progress: (line: string) => void,
): Promise<Met> {
  let ended = { suspended: WEBHOOKS, synced: 0, made: 0 }
  const patience = { seconds: 3 * PROMISED_SECONDS, progress }
  const arrivals = await collectArrivals(service, patience, async (arrived) => {
    if (arrived >= WEBHOOKS) ended = await counts(service)
    return ended.synced >= WEBHOOKS
  })
  const { at, unique, latency, repeats } = timesOf(arrivals, since)
  const seconds = at(1) / 1000
  const { synced, made, suspended } = ended
  const isWhole = synced === WEBHOOKS && made === WEBHOOKS && suspended === 0
  const found = `of ${WEBHOOKS} webhooks ${synced} got their sync, of ${made} made, and ${suspended} stayed suspended`
  const problems = [
    ...repeats,
    ...problemsIn([
      [!isWhole, found],
      [seconds > PROMISED_SECONDS, `it took ${seconds.toFixed(0)} s`],
    ]),
  ]
  return {
    requests: arrivals.length,
    perSecond: Math.round((1000 * arrivals.length) / Math.max(1, at(1) - at(0))),
    errors: problems.length,
    latency,
    counts: { synced },
    problems,
    remarks: [
      `${seconds.toFixed(1)} s from free capacity to the last of ${unique} syncs, of which the first arrived after ${(at(0) / 1000).toFixed(1)} s`,
    ],
  }
}

async function setOutstanding({ stateDir }: LoadedService, outstanding: number): Promise<void> {
  await using storage = await openLocal(stateDir)
  await storage.db.prepare(setOpen(outstanding)).run()
}

function counts(service: LoadedService) {
  return readRow<{ suspended: number; synced: number; made: number }>(
    service,
    `select (select count(*) from receivers where state = 'capacity') as suspended,
       (select count(*) from receivers where state = 'active' and needs_sync = 0
         and synced_revision = revision) as synced,
       (select count(*) from deliveries where type = 'sync') as made`,
  )
}
