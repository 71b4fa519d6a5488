/** Measures how much longer a cycle takes than its slowest source, over the demo market. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Big } from 'big.js'
import { type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { type CycleReport, runCycle } from '../../../workers/scraper/cycle.ts'
import { openScratchStorage } from '../../operate/admin/open-local.ts'
import { documentAt } from '../../operate/demo-market/documents.ts'
import { type Bench, type Figure, median } from './report.ts'

/** The documents always have the prices of this instant, so later cycles find no change. */
const MARKET = Date.UTC(2026, 2, 2, 15)
const ROUNDS = 9

/** The host of the slowest source, and how long it takes. */
const SLOW_HOST = 'www.bna.com.ar'
const SLOW_MS = 500

export const cycle: Bench = {
  name: 'cycle',
  method:
    'a cycle that requests every source and finds no change, with the D1 of miniflare: the median ' +
    `of ${ROUNDS} cycles minus the ${SLOW_MS} ms that the slowest source takes`,
  run: benchCycle,
}

async function benchCycle(progress: (line: string) => void): Promise<Figure[]> {
  await using storage = await openScratchStorage()
  const beyond: number[] = []
  // The first two cycles record the market's values; later ones find no change.
  for (let round = -1; round <= ROUNDS; round++) {
    const start = performance.now()
    const report = await runDemoCycle(storage.db, MARKET + (round + 1) * MINUTE_MS)
    if (round < 1) continue
    if (!isQuiet(report)) throw new Error(`not quiet: ${JSON.stringify(report)}`)
    beyond.push(performance.now() - start - SLOW_MS)
    progress(`cycle ${round} of ${ROUNDS}`)
  }
  const value = Math.round(median(beyond))
  return [{ name: 'cycle beyond its slowest source', value, unit: 'ms', atMost: 300 }]
}

function isQuiet(report: CycleReport): boolean {
  return report.outcome === 'recorded' && report.changed.length === 0 && report.held.length === 0
}

/** Runs a cycle that requests every source. */
function runDemoCycle(DB: D1Database, at: Instant): Promise<CycleReport> {
  return runCycle(
    {
      BOARD: { put: async () => {} },
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
  const body = documentAt(`/${host}${pathname}${search}`, MARKET)
  return new Response(body, { status: body === null ? 404 : 200 })
}
