/**
 * The minute sweep when nothing is left to do: on an empty database, and on one with a million
 * finished deliveries, paused webhooks and deliveries that wait for their next attempt.
 */
import { createDelivery } from '../../../workers/delivery/delivery.ts'
import type { DeliveryEnv } from '../../../workers/delivery/config.ts'
import type { Bench, BenchOptions, Figure } from './bench.ts'
import { seedChange, seedFinished, seedFollowers } from './delivery/seed.ts'
import { costFigures, costOf } from './measured.ts'
import { openScratchStorage } from '../../operate/admin/open-local.ts'

const FINISHED = 1_000_000
/** Webhooks that each have an open delivery, enqueued just now and so not due. */
const WAITING = 500
const SWEEP = { cron: '* * * * *', scheduledTime: 0, type: 'scheduled', noRetry() {} } as const

export const sweep: Bench = {
  name: 'sweep',
  summary: 'the minute sweep with nothing to do (--points N finished deliveries)',
  method:
    'scheduled() of the delivery Worker over D1 of miniflare: empty, and with a million finished ' +
    `deliveries and ${WAITING} webhooks that each wait for one enqueued a moment ago; rows are D1's own count`,
  run: benchSweep,
}

async function benchSweep({ points, progress }: BenchOptions): Promise<Figure[]> {
  const finished = points ?? FINISHED
  await using storage = await openScratchStorage()
  const empty = await idleSweep(storage.db, 'no deliveries')
  progress(`making ${finished} finished deliveries`)
  await seedFinished(storage.db, finished, [])
  const webhooks = await seedFollowers(storage.db, 'USD/BLUE', WAITING, ['x.example.com'])
  await seedChange(storage.db, webhooks)
  return [...empty, ...(await idleSweep(storage.db, `${finished} finished`))]
}

async function idleSweep(binding: D1Database, size: string): Promise<Figure[]> {
  const delivery = createDelivery({
    now: () => Date.now(),
    random: Math.random,
    newToken: () => crypto.randomUUID(),
    sleep: unneeded('sleep'),
    fetch: unneeded('fetch') as typeof fetch,
  })
  const cost = await costOf(binding, (db) => delivery.scheduled(SWEEP, environment(db)))
  const limits = { roundTrips: 2, rowsRead: 50, rowsWritten: 0 }
  return costFigures(`sweep with nothing to do, ${size}`, cost, limits)
}

function environment(DB: D1Database): DeliveryEnv {
  return {
    DB,
    DELIVERIES: { sendBatch: unneeded('a message') } as unknown as Queue,
    EMAIL: { send: unneeded('a mail') } as unknown as SendEmail,
    MAIL_FROM: 'bench@bench.test',
    WEBHOOK_ADMISSION: 'open',
    DELIVERY_WAITS: '30,300,1800',
    DELIVERY_CAPACITY: '20000',
    DNS_OVER_HTTPS_URL: 'https://resolver.bench.test/',
    DEAD_LETTER_QUEUE: 'deliveries-dead',
    PUBLIC_HOSTS: '',
  }
}

/** Throws: a sweep with nothing to do must not use this. */
function unneeded(what: string) {
  return () => {
    throw new Error(`the sweep asked for ${what}`)
  }
}
