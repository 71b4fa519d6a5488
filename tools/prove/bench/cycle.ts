/**
 * The scraper's cycle over the demo market's documents. Measures what a cycle without a change
 * costs in D1 and KV, how much longer than its slowest source it takes, and what a change with
 * followers adds.
 */
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { findPairByKey, PAIRS } from '../../../shared/market/catalog.ts'
import type { CycleReport } from '../../../workers/scraper/cycle.ts'
import { openScratchStorage, type Storage } from '../../operate/admin/open-local.ts'
import { openKeyring } from '../../../shared/crypto/keyring.ts'
import { seedWebhooks } from '../harness/seed-webhooks.ts'
import { type Bench, type BenchOptions, type Figure, median } from './bench.ts'
import { runDemoCycle, SLOW_MS } from './demo-cycle.ts'
import { measured } from './measured.ts'

/** The instant whose prices the documents have, so that a later cycle finds no change. */
const MARKET = Date.UTC(2026, 2, 2, 15)
const MOVED = MARKET + 60 * MINUTE_MS
const ROUNDS = 9
/** Webhooks on one pair of those that move. */
const FOLLOWERS = 250
const followed = findPairByKey('usd/bolsa')!

export const cycle: Bench = {
  name: 'cycle',
  summary: 'a cycle without a change: rows, round trips, time beyond its slowest source',
  method:
    'runCycle over D1 and KV of miniflare, every source asked, their documents the demo market’s at ' +
    `one instant, one of them after ${SLOW_MS} ms; the time is the median of ${ROUNDS} cycles less those ` +
    `${SLOW_MS} ms; then one cycle in which the market has moved, with ${FOLLOWERS} webhooks on one pair`,
  run: benchCycle,
}

async function benchCycle(options: BenchOptions): Promise<Figure[]> {
  await using storage = await openScratchStorage()
  const beyond = await quietFigures(storage, options)
  return [...beyond, ...(await changeFigures(storage))]
}

async function quietFigures(storage: Storage, { progress }: BenchOptions): Promise<Figure[]> {
  const { db, spent, forget } = measured(storage.db)
  const run = async (round: number) => {
    const at = MARKET + round * MINUTE_MS
    const { report, puts } = await runDemoCycle({ ...storage, db }, { at, market: MARKET })
    if (round > 0 && !isQuiet(report)) throw new Error(`not quiet: ${JSON.stringify(report)}`)
    return puts
  }
  await run(0)
  await run(1)

  forget()
  const puts = await run(2)
  const cost = spent()
  const beyond: number[] = []
  for (let round = 3; round < 3 + ROUNDS; round++) {
    const start = performance.now()
    await run(round)
    beyond.push(performance.now() - start - SLOW_MS)
    progress(`cycle ${round - 2} of ${ROUNDS}`)
  }
  const rowsReadAPair = Math.round((cost.rowsRead / PAIRS.length) * 10) / 10
  const milliseconds = Math.round(median(beyond))
  return [
    { name: 'quiet cycle: round trips', value: cost.roundTrips, atMost: 3 },
    { name: 'quiet cycle: rows read a pair', value: rowsReadAPair, atMost: 8 },
    { name: 'quiet cycle: rows written', value: cost.rowsWritten, atMost: 12 },
    { name: 'quiet cycle: KV writes', value: puts, atMost: 1 },
    { name: 'cycle beyond its slowest source', value: milliseconds, unit: 'ms', atMost: 300 },
  ]
}

/** A change makes its deliveries in the same batch that a quiet cycle has. */
async function changeFigures(storage: Storage): Promise<Figure[]> {
  await seedWebhooks(storage.db, {
    count: FOLLOWERS,
    hosts: ['x.example'],
    pairId: followed.id,
    keyring: openKeyring(`bench:${Buffer.alloc(32, 7).toString('base64')}`),
  })
  const { db, spent } = measured(storage.db)
  const { report, sends } = await runDemoCycle({ ...storage, db }, { at: MOVED, market: MOVED })
  const made = await storage.db.prepare('select count(*) as n from deliveries').first<number>('n')
  if (made !== FOLLOWERS) throw new Error(`${made} deliveries: ${JSON.stringify(report)}`)

  const name = `cycle with a change and ${FOLLOWERS} followers`
  return [
    { name: `${name}: round trips`, value: spent().roundTrips, atMost: 3 },
    { name: `${name}: sendBatch calls`, value: sends, atMost: Math.ceil(FOLLOWERS / 100) },
  ]
}

function isQuiet(report: CycleReport): boolean {
  return report.outcome === 'recorded' && report.changed.length === 0 && report.held.length === 0
}
