/** Measures deliveries, from queue to settled row. */
import type { PairKey } from '../../../../shared/market/catalog.ts'
import { until } from '../../../support/until.ts'
import { type Bench, type Figure, median, rounded } from '../report.ts'
import type { Arrival } from './receiver.ts'
import { type DeliveryRuntime, openDeliveryRuntime, seedFollowers } from './runtime.ts'

/** How many deliveries one measured run sends. */
const DELIVERIES = 2400
const ROUNDS = 7

const HOSTS = Array.from({ length: 12 }, (_, index) => `h${index}.example.com`)

/** Webhooks that follow the changes of a pair, for the time from change to arrival. */
const FOLLOWERS = 20
const FOLLOWED: PairKey = 'USD/BOLSA'
const CHANGES = 100

const PATIENCE = { everyMs: 20, atMostMs: 120_000, failure: 'deliveries stayed open' }

type Progress = (line: string) => void

export const delivery: Bench = {
  name: 'delivery',
  method:
    'deliveries through queue, claim, sign, POST and settle: the Worker of npm start under workerd with a ' +
    'loopback TLS receiver. A request makes each change in workerd, as the scraper does; ' +
    'its time starts before the batch of the change',
  run: benchDelivery,
}

async function benchDelivery(progress: Progress): Promise<Figure[]> {
  await using runtime = await openDeliveryRuntime(HOSTS)
  await seedFollowers(runtime.db, FOLLOWED, FOLLOWERS, HOSTS)
  return [
    await backlog(runtime, 'USD/BLUE', HOSTS.slice(0, 1), 'one host', progress),
    await backlog(runtime, 'USD/CCL', HOSTS, `${HOSTS.length} hosts`, progress),
    ...(await latencies(runtime)),
  ]
}

/** Deliveries per second of a change that many webhooks follow, sent as fast as possible. */
async function backlog(
  runtime: DeliveryRuntime,
  pair: PairKey,
  hosts: string[],
  to: string,
  progress: Progress,
): Promise<Figure> {
  await seedFollowers(runtime.db, pair, DELIVERIES, hosts)
  const rates: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { committedAt, deliveries } = await runtime.change(pair)
    await arrivalsOf(runtime, deliveries)
    rates.push((deliveries * 1000) / (Date.now() - committedAt))
    progress(`${to}, round ${round} of ${ROUNDS}: ${rounded(rates.at(-1)!)} a second`)
  }
  return { name: `deliveries to ${to}`, value: rounded(median(rates)), unit: '/s' }
}

/** Measures from before the batch of a change to its arrival, on an idle service. */
async function latencies(runtime: DeliveryRuntime): Promise<Figure[]> {
  const all: number[] = []
  for (let change = 0; change < CHANGES; change += 1) {
    const { at, deliveries } = await runtime.change(FOLLOWED)
    const arrivals = await arrivalsOf(runtime, deliveries)
    all.push(...arrivals.map(([, arrivedAt]) => arrivedAt - at))
  }
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]!
  const name = `change to arrival, ${FOLLOWERS} webhooks`
  return [
    { name: `${name}: p50`, value: at(0.5), unit: 'ms', atMost: 100 },
    { name: `${name}: p99`, value: at(0.99), unit: 'ms', atMost: 200 },
  ]
}

/**
 * Waits until no delivery is open and returns the arrivals. Queries the database only when all have
 * arrived, because polling it during the deliveries would slow them down.
 */
async function arrivalsOf(runtime: DeliveryRuntime, count: number): Promise<Arrival[]> {
  const arrivals: Arrival[] = []
  await until(async () => {
    arrivals.push(...(await runtime.arrivals()))
    return arrivals.length >= count
  }, PATIENCE)
  await until(async () => !(await runtime.hasOpen()), PATIENCE)
  arrivals.push(...(await runtime.arrivals()))
  const distinct = new Set(arrivals.map(([id]) => id))
  if (distinct.size !== count || arrivals.length !== count)
    throw new Error(`${arrivals.length} POSTs of ${distinct.size} deliveries for ${count}`)
  return arrivals
}
