/**
 * The scraper's cycle over the demo market's documents: what one without a change costs in D1 and
 * KV, and how much longer than its slowest source it takes.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Big } from 'big.js'
import { type Instant, MINUTE_MS } from '../../shared/argentine-time.ts'
import { PAIRS } from '../../shared/catalog.ts'
import { type CycleReport, runCycle } from '../../workers/scraper/cycle.ts'
import { openLocal, type Storage } from '../admin/open-local.ts'
import { documentAt } from '../demo-market/server.ts'
import { type Bench, type BenchOptions, type Figure, median } from './bench.ts'
import { measured } from './measured.ts'

/** The instant whose prices every document has, so that a later cycle finds no change. */
const MARKET = Date.UTC(2026, 2, 2, 15)
const MARKET_OPTIONS = { seed: 1, stepMs: 5 * MINUTE_MS }
const SLOW_HOST = 'www.bna.com.ar'
const SLOW_MS = 500
const ROUNDS = 9

export const cycle: Bench = {
  name: 'cycle',
  summary: 'a cycle without a change: rows, round trips, time beyond its slowest source',
  run: benchCycle,
}

async function benchCycle({ progress }: BenchOptions): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-cycle-'))
  try {
    await using storage = await openLocal(folder)
    const { db, spent, forget } = measured(storage.db)
    const run = (round: number) => quietCycle({ ...storage, db }, MARKET + round * MINUTE_MS)
    await run(0)
    await run(1)

    forget()
    const { puts } = await run(2)
    const cost = spent()
    const beyond: number[] = []
    for (let round = 3; round < 3 + ROUNDS; round++) {
      const start = performance.now()
      await run(round)
      beyond.push(performance.now() - start - SLOW_MS)
      progress(`cycle ${round - 2} of ${ROUNDS}`)
    }
    return [
      { name: 'quiet cycle, round trips', value: cost.roundTrips, unit: '', atMost: 3 },
      {
        name: 'quiet cycle, rows read a pair',
        value: Math.round((cost.rowsRead / PAIRS.length) * 10) / 10,
        unit: 'rows',
        atMost: 8,
      },
      {
        name: 'quiet cycle, rows written',
        value: cost.rowsWritten,
        unit: 'rows',
        atMost: 2 * PAIRS.length + 10,
      },
      { name: 'quiet cycle, KV writes', value: puts, unit: '', atMost: 1 },
      {
        name: 'cycle beyond its slowest source',
        value: Math.round(median(beyond)),
        unit: 'ms',
        atMost: 300,
      },
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Runs a cycle that asks every source; fails when it is not the quiet one it should be. */
async function quietCycle(storage: Storage, at: Instant): Promise<{ puts: number }> {
  let puts = 0
  const BOARD = {
    put: (key: string, value: string) => {
      puts++
      return storage.kv.put(key, value)
    },
    get: (key: string) => storage.kv.get(key),
  } as unknown as KVNamespace
  const DELIVERIES = { sendBatch: async () => {} } as unknown as Queue
  const QUOTE_STREAM = { getByName: () => ({ publish: async () => {} }) }
  const report = await runCycle(
    {
      BOARD,
      DB: storage.db,
      DELIVERIES,
      QUOTE_STREAM,
      WEBHOOK_ADMISSION: 'open',
      DELIVERY_CAPACITY: '20000',
    },
    {
      now: () => at,
      fetch: answer,
      mode: 'demo',
      everySource: true,
      everySeconds: 300,
      tarjetaRate: new Big('0.30'),
      newToken: () => crypto.randomUUID(),
    },
    at,
  )
  if (at > MARKET && !isQuiet(report)) throw new Error(`not quiet: ${JSON.stringify(report)}`)
  return { puts }
}

function isQuiet(report: CycleReport): boolean {
  return report.outcome === 'recorded' && report.changed.length === 0 && report.held.length === 0
}

const answer = (async (input: RequestInfo | URL) => {
  const { host, pathname, search } = new URL(input instanceof Request ? input.url : input)
  if (host === SLOW_HOST) await sleep(SLOW_MS)
  const { body, contentType } = documentAt(`/${host}${pathname}${search}`, MARKET, MARKET_OPTIONS)
  return body === null
    ? new Response(null, { status: 404 })
    : new Response(body, { headers: { 'Content-Type': contentType } })
}) as typeof fetch
