/**
 * Deliveries from queue to settled row, beside the floor: what only sends the POST by the Worker's
 * way out, and what only claims and settles the rows. They take turns in one run, with the same
 * receivers and number.
 */
import { BODY } from '../../harness/delivery-body.ts'
import { until } from '../../../support/until.ts'
import { type Figure, median, rounded } from '../bench.ts'
import type { Certificate } from '../../../support/authority.ts'
import type { Arrival } from '../../harness/arrivals-receiver.ts'
import { type DeliveryRuntime, openDeliveryRuntime } from './runtime.ts'
import type { BareOrder } from './worker.ts'
import { seedChange, seedFinished, seedFollowers } from './seed.ts'

/** How many deliveries one measured run sends, and how many finished rows the full table holds. */
const DELIVERIES = 2400
const FINISHED = 1_000_000
const ROUNDS = 7

/** How much processor time workerd may take for a delivery, over that of its POST and its row. */
const MAX_OVER_FLOOR = 3

const HOSTS = Array.from({ length: 12 }, (_, index) => `h${index}.example.com`)

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
  await using runtime = await openDeliveryRuntime(HOSTS, authority)
  await seedFollowers(runtime.db, FOLLOWED, FOLLOWERS, HOSTS)
  const few = [
    ...(await compare(runtime, HOSTS.slice(0, 1), 'one host')),
    ...(await compare(runtime, HOSTS, `${HOSTS.length} hosts`)),
    ...(await latencies(runtime, 'few rows')),
  ]
  progress(`making ${finished} finished deliveries`)
  await seedFinished(runtime.db, finished, [])
  return [...few, ...(await latencies(runtime, `${finished} finished`))]
}

/** The engine and its floor by turns, so that a noisy machine disturbs all alike. */
async function compare(runtime: DeliveryRuntime, hosts: string[], to: string): Promise<Figure[]> {
  const concurrency = Math.min(200, hosts.length * 20)
  const headers = { 'Content-Type': 'application/json', 'X-Service-Delivery-Id': 'bare' }
  const order = { count: DELIVERIES, concurrency, headers, body: BODY, hosts }
  const webhooks = await seedFollowers(runtime.db, 'USD/BLUE', DELIVERIES, hosts)
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await sendBare(runtime, order)
    const rows = await settleUnsent(runtime, webhooks)
    const delivered = await deliver(runtime, webhooks)
    rounds.push({ ...delivered, bare, rows, overFloor: delivered.workerd / (bare.workerd + rows) })
    progress(
      `${to}: ${rounded(delivered.perSecond)}/s at ${rounded(delivered.workerd)} ms, ` +
        `bare ${rounded(bare.perSecond)}/s at ${rounded(bare.workerd)} ms, rows ${rounded(rows)} ms`,
    )
  }
  return figuresOf(`deliveries to ${to}`, rounds)
}

type Rate = Pick<Run, 'perSecond' | 'workerd' | 'egress'>

interface Round extends Run {
  /** What only sends the POST. */
  bare: Rate
  /** Processor time of workerd for a row that is claimed and settled, and not sent. */
  rows: number
  /** Processor time of workerd, over that of the POST and the row. */
  overFloor: number
}

function figuresOf(name: string, rounds: readonly Round[]): Figure[] {
  const of = (value: (round: Round) => number) => rounded(median(rounds.map(value)))
  return [
    { name: `${name}: bare`, value: of(({ bare }) => bare.perSecond), unit: '/s' },
    { name, value: of((run) => run.perSecond), unit: '/s' },
    {
      name: `${name}: processor of workerd, bare`,
      value: of((run) => run.bare.workerd),
      unit: 'ms',
    },
    { name: `${name}: processor of workerd, rows`, value: of((run) => run.rows), unit: 'ms' },
    { name: `${name}: processor of workerd`, value: of((run) => run.workerd), unit: 'ms' },
    {
      name: `${name}: over bare and rows`,
      value: of((run) => run.overFloor),
      unit: '×',
      atMost: MAX_OVER_FLOOR,
    },
    { name: `${name}: processor of the way out`, value: of((run) => run.egress), unit: 'ms' },
    {
      name: `${name}: round trips`,
      value: of((run) => run.roundTrips),
      unit: 'per attempt',
      atMost: 2,
    },
    {
      name: `${name}: connections used`,
      value: of((run) => run.connections),
      unit: 'per attempt',
      atMost: 0.1,
    },
    {
      name: `${name}: rows read`,
      value: of((run) => run.rowsRead),
      unit: 'per attempt',
      atMost: 25,
    },
    {
      name: `${name}: rows written`,
      value: of((run) => run.rowsWritten),
      unit: 'per attempt',
      atMost: 4,
    },
  ]
}

/** What arrived is forgotten. */
async function sendBare(runtime: DeliveryRuntime, order: BareOrder): Promise<Rate> {
  const spent = processorOf(runtime, order.count)
  const perSecond = await runtime.bare(order)
  const rate = { perSecond, ...spent() }
  await runtime.arrivals()
  return rate
}

/** Processor time of workerd for each row of a change that is claimed and settled, and not sent. */
async function settleUnsent(
  runtime: DeliveryRuntime,
  webhooks: readonly { id: string; host: string }[],
): Promise<number> {
  const rows = await seedChange(runtime.db, webhooks)
  const spent = processorOf(runtime, rows.length)
  await runtime.settleUnsent()
  return spent().workerd
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
  await runtime.enqueue(rows)
  const arrivals = await arrivalsOf(runtime, rows.length)
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
