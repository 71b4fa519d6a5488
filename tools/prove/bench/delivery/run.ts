/**
 * Deliveries from queue to settled row, beside what only sends the POST: the Worker by its way out,
 * and the client behind that alone. All keep their connections and take turns in one run, with the
 * same receiver, number and concurrency.
 */
import { BODY } from '../../harness/delivery-body.ts'
import { enqueue } from '../../../../shared/webhooks/enqueue.ts'
import { MAX_IN_FLIGHT, MAX_PER_HOST } from '../../../../workers/delivery/consume/host-slots.ts'
import { until } from '../../../support/until.ts'
import { type Figure, median, rounded } from '../bench.ts'
import type { Certificate } from '../../../support/authority.ts'
import type { Arrival } from '../../harness/arrivals-receiver.ts'
import { type DeliveryRuntime, openDeliveryRuntime } from './runtime.ts'
import { seedChange, seedFinished, seedFollowers } from './seed.ts'

/** How many deliveries one measured run sends, and how many finished rows the full table holds. */
const DELIVERIES = 2400
const FINISHED = 1_000_000
const ROUNDS = 7

const FEW = 'few rows'

const HOSTS = Array.from({ length: 12 }, (_, index) => `h${index}.example.com`)

/** Answers with an ECDSA key; the others have one of RSA. */
const ECDSA_HOST = 'ecdsa.example.com'

/** Webhooks that follow the changes of a pair, for the time from change to arrival. */
const FOLLOWERS = 20
const FOLLOWED = 'USD/BOLSA'
const CHANGES = 100

const PATIENCE = { everyMs: 20, atMostMs: 120_000, failure: 'deliveries stayed open' }

interface Run {
  perSecond: number
  roundTrips: number
  rowsRead: number
  rowsWritten: number
  connections: number
  /** Processor time of each: of workerd, and of the way out. */
  workerd: number
  egress: number
}

export interface RunOrder {
  /** `--points`: finished rows in the fuller table. */
  points: number | undefined
  authority: Certificate
}

process.once('message', (order: RunOrder) => {
  benchDelivery(order).then(
    (figures) => process.send!(figures),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})

process.once('disconnect', () => process.exit())

const progress = (line: string) => process.send!(line)

async function benchDelivery({ points, authority }: RunOrder): Promise<Figure[]> {
  const finished = points ?? FINISHED
  await using runtime = await openDeliveryRuntime({ rsa: HOSTS, ecdsa: [ECDSA_HOST] }, authority)
  await seedFollowers(runtime.db, FOLLOWED, FOLLOWERS, HOSTS)
  const figures: Figure[] = []
  const sized = async (size: string) => {
    figures.push(...(await compare(runtime, HOSTS.slice(0, 1), `one host, ${size}`)))
    figures.push(...(await compare(runtime, HOSTS, `${HOSTS.length} hosts, ${size}`)))
    figures.push(...(await latencies(runtime, size)))
  }

  await sized(FEW)
  figures.push(...(await compare(runtime, [ECDSA_HOST], `one ECDSA host, ${FEW}`)))
  progress(`making ${finished} finished deliveries`)
  await seedFinished(runtime.db, finished, [])
  await sized(`${finished} finished`)
  return figures
}

/**
 * The engine and what only sends by turns. Each run of the engine is compared with the mean of
 * the bare ones before and after it, so that a noisy machine disturbs all alike.
 */
async function compare(runtime: DeliveryRuntime, hosts: string[], to: string): Promise<Figure[]> {
  const concurrency = Math.min(MAX_IN_FLIGHT, hosts.length * MAX_PER_HOST)
  const headers = { 'Content-Type': 'application/json', 'X-Service-Delivery-Id': 'bare' }
  const order = { count: DELIVERIES, concurrency, headers, body: BODY, hosts }
  const webhooks = await seedFollowers(runtime.db, 'USD/BLUE', DELIVERIES, hosts)
  const sendBoth = async () => ({
    worker: await sendBare(runtime, () => runtime.bare(order), order.count),
    client: await sendBare(runtime, () => runtime.bareClient(order), order.count),
  })
  const bare: Bare[] = [await sendBoth()]
  const runs: Run[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    runs.push(await deliver(runtime, webhooks))
    bare.push(await sendBoth())
    const told = [runs.at(-1)!, bare.at(-1)!.worker, bare.at(-1)!.client].map(
      ({ perSecond, workerd, egress }) =>
        `${rounded(perSecond)}/s at ${rounded(workerd)} + ${rounded(egress)} ms`,
    )
    progress(`${to}: ${told[0]}, bare ${told[1]}, client alone ${told[2]}`)
  }
  return figuresOf(`deliveries to ${to}`, runs, bare)
}

type Rate = Pick<Run, 'perSecond' | 'workerd' | 'egress'>

/** What only sends, in a round. */
interface Bare {
  /** The Worker, by `EGRESS`. */
  worker: Rate
  /** The client behind it, in a process of its own. */
  client: Rate
}

function figuresOf(name: string, runs: readonly Run[], bare: readonly Bare[]): Figure[] {
  const of = (key: keyof Run) => rounded(median(runs.map((run) => run[key])))
  const rate = (key: keyof Bare) => rounded(median(bare.map((one) => one[key].perSecond)))
  const cost = (key: 'workerd' | 'egress') => rounded(median(bare.map((one) => one.worker[key])))
  const over = (key: keyof Bare) => {
    const ratios = runs.map(
      ({ perSecond }, round) =>
        (2 * perSecond) / (bare[round]![key].perSecond + bare[round + 1]![key].perSecond),
    )
    return rounded(median(ratios))
  }
  return [
    { name: `${name}: client alone`, value: rate('client'), unit: '/s' },
    { name: `${name}: bare`, value: rate('worker'), unit: '/s' },
    { name: `${name}: processor of workerd, bare`, value: cost('workerd'), unit: 'ms' },
    { name: `${name}: processor of the way out, bare`, value: cost('egress'), unit: 'ms' },
    { name: `${name}: processor of workerd`, value: of('workerd'), unit: 'ms' },
    { name: `${name}: processor of the way out`, value: of('egress'), unit: 'ms' },
    { name, value: of('perSecond'), unit: '/s' },
    { name: `${name}: over bare`, value: over('worker'), unit: '×', atLeast: 0.5 },
    { name: `${name}: over the client alone`, value: over('client'), unit: '×' },
    { name: `${name}: round trips`, value: of('roundTrips'), unit: 'per attempt', atMost: 2 },
    {
      name: `${name}: connections used`,
      value: of('connections'),
      unit: 'per attempt',
      atMost: 0.1,
    },
    { name: `${name}: rows read`, value: of('rowsRead'), unit: 'per attempt', atMost: 25 },
    { name: `${name}: rows written`, value: of('rowsWritten'), unit: 'per attempt', atMost: 4 },
  ]
}

/** What arrived is forgotten. */
async function sendBare(
  runtime: DeliveryRuntime,
  send: () => Promise<number>,
  count: number,
): Promise<Rate> {
  const spent = processorOf(runtime, count)
  const perSecond = await send()
  const rate = { perSecond, ...spent() }
  await runtime.arrivals()
  return rate
}

/** Of each of so many POSTs, from now until the function that it returns is called. */
function processorOf(runtime: DeliveryRuntime, count: number) {
  const before = runtime.processorMs()
  return () => {
    const after = runtime.processorMs()
    return {
      workerd: (after.workerd - before.workerd) / count,
      egress: (after.egress - before.egress) / count,
    }
  }
}

/** One change that every webhook follows, from the first message to the last settled row. */
async function deliver(
  runtime: DeliveryRuntime,
  webhooks: readonly { id: string; host: string }[],
): Promise<Run> {
  const rows = await seedChange(runtime.db, webhooks)
  await runtime.forget()
  const processor = processorOf(runtime, rows.length)
  const startedAt = performance.now()
  const arrivals = await finish(runtime, rows)
  const seconds = (performance.now() - startedAt) / 1000
  const spent = processor()

  const { roundTrips, rowsRead, rowsWritten } = await runtime.spent()
  return {
    perSecond: rows.length / seconds,
    roundTrips: roundTrips / rows.length,
    rowsRead: rowsRead / rows.length,
    rowsWritten: rowsWritten / rows.length,
    connections: new Set(arrivals.map(([, , connection]) => connection)).size / rows.length,
    ...spent,
  }
}

/** From before the batch of a change to its arrival, with nothing else to do. */
async function latencies(runtime: DeliveryRuntime, size: string): Promise<Figure[]> {
  const all: number[] = []
  for (let change = 0; change < CHANGES; change += 1) {
    const { at, deliveries } = await runtime.change(FOLLOWED)
    const arrivals = await arrivalsOf(runtime, deliveries)
    all.push(...arrivals.map(([, arrivedAt]) => arrivedAt - at))
  }
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]!
  const name = `change to arrival, ${FOLLOWERS} webhooks, ${size}`

  return [
    { name: `${name}: p50`, value: at(0.5), unit: 'ms', atMost: 35 },
    { name: `${name}: p99`, value: at(0.99), unit: 'ms', atMost: 60 },
  ]
}

/** From the first message until nothing is open; what arrived. */
async function finish(
  runtime: DeliveryRuntime,
  rows: readonly { id: number }[],
): Promise<Arrival[]> {
  await enqueue(runtime, rows)
  return arrivalsOf(runtime, rows.length)
}

/**
 * Until nothing is open; what arrived. Most of the time only the receiver is asked: asking the
 * database twenty times a second would cost a twentieth of what is measured.
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
