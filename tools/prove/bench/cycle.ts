/**
 * The scraper's cycle over the demo market's documents: what a cycle without a change costs in D1
 * and KV, and how much longer than its slowest source it takes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Big } from 'big.js'
import { type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { PAIRS } from '../../../shared/market/catalog.ts'
import { type CycleEnv, type CycleReport, runCycle } from '../../../workers/scraper/cycle.ts'
import { openScratchStorage } from '../../operate/admin/open-local.ts'
import { documentAt } from '../../operate/demo-market/documents.ts'
import { type Bench, type Figure, median } from './report.ts'
import { measured } from './measured.ts'

/** The documents always have the prices of this instant, so later cycles find no change. */
const MARKET = Date.UTC(2026, 2, 2, 15)
const ROUNDS = 9

/** The host of the slowest source, and how long it takes. */
const SLOW_HOST = 'www.bna.com.ar'
const SLOW_MS = 500

const MARKET_OPTIONS = { seed: 1, stepMs: 5 * MINUTE_MS }

export const cycle: Bench = {
  name: 'cycle',
  method:
    'a cycle without a change over D1 of miniflare, every source asked; its time is the median ' +
    `of ${ROUNDS} cycles less the ${SLOW_MS} ms that the slowest source takes`,
  run: benchCycle,
}

async function benchCycle(progress: (line: string) => void): Promise<Figure[]> {
  await using storage = await openScratchStorage()
  const { db, spent, forget } = measured(storage.db)
  let puts = 0
  const kv = {
    put: async () => {
      puts += 1
    },
  }
  const run = async (round: number) => {
    const report = await runDemoCycle(db, kv, MARKET + round * MINUTE_MS)
    if (round > 0 && !isQuiet(report)) throw new Error(`not quiet: ${JSON.stringify(report)}`)
  }
  await run(0)
  await run(1)

  forget()
  const before = puts
  await run(2)
  const cost = spent()
  const kvWrites = puts - before
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
    { name: 'quiet cycle: KV writes', value: kvWrites, atMost: 1 },
    { name: 'cycle beyond its slowest source', value: milliseconds, unit: 'ms', atMost: 300 },
  ]
}

function isQuiet(report: CycleReport): boolean {
  return report.outcome === 'recorded' && report.changed.length === 0 && report.held.length === 0
}

/** Runs a cycle that asks every source. */
function runDemoCycle(DB: D1Database, BOARD: CycleEnv['BOARD'], at: Instant): Promise<CycleReport> {
  return runCycle(
    {
      BOARD,
      DB,
      DELIVERIES: { sendBatch: async () => {} },
      QUOTE_STREAM: { getByName: () => ({ publish: async () => {} }) },
      WEBHOOK_ADMISSION: 'open',
      DELIVERY_CAPACITY: '20000',
    },
    {
      now: () => at,
      fetch: answer as typeof fetch,
      mode: 'demo',
      everySeconds: 300,
      tarjetaRate: new Big('0.30'),
      newToken: () => crypto.randomUUID(),
    },
    at,
  )
}

async function answer(input: RequestInfo | URL): Promise<Response> {
  const { host, pathname, search } = new URL(input instanceof Request ? input.url : input)
  if (host === SLOW_HOST) await sleep(SLOW_MS)
  const body = documentAt(`/${host}${pathname}${search}`, MARKET, MARKET_OPTIONS)
  return new Response(body, { status: body === null ? 404 : 200 })
}
