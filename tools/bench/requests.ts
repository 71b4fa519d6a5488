/**
 * What whole requests cost: the edge itself over a D1 and a KV that count. Other benches measure
 * the functions behind it.
 */
import { type Instant, MINUTE_MS, SECOND_MS } from '../../shared/argentine-time.ts'
import { PAIRS } from '../../shared/market/catalog.ts'
import type { EdgeEnv } from '../../workers/edge/context.ts'
import { CURRENT_PATHS } from '../../workers/edge/current/current-read.ts'
import { createEdge } from '../../workers/edge/edge.ts'
import { openScratchStorage, type Storage } from '../admin/open-local.ts'
import type { Bench, BenchOptions, Figure } from './bench.ts'
import { runDemoCycle } from './demo-cycle.ts'
import { costFigures, measured, type Spent } from './measured.ts'
import { ACCOUNTS, fillOrdinary, HOURS } from './ordinary-database.ts'

const NOW = Date.UTC(2026, 2, 5, 15)
/** Every current path once in each of so many seconds: five minutes of one isolate. */
const SECONDS = 300
/** How long an isolate keeps what it read from KV. */
const MEMORY_SECONDS = 30

/** Rows and round trips of the gate, which every private request passes (its own bench: gate). */
const GATE = { roundTrips: 1, rowsRead: 6, rowsWritten: 4 }
const NOTHING = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
/** One query, of so many rows at most, behind the gate. */
const query = (rowsRead: number): Spent => ({
  roundTrips: GATE.roundTrips + 1,
  rowsRead: GATE.rowsRead + rowsRead,
  rowsWritten: GATE.rowsWritten,
})

const REQUESTS: [name: string, path: string, atMost: Spent][] = [
  [
    'date, one pair',
    '/api/v2/date/2026-03-01/usd/blue',
    { ...NOTHING, roundTrips: 1, rowsRead: 2 },
  ],
  [
    'date, all pairs',
    '/api/v2/date/2026-03-01',
    { ...NOTHING, roundTrips: 1, rowsRead: 2 * PAIRS.length },
  ],
  ['key check', '/api/v2/auth/check', GATE],
  ...[1, 100, 500].map((n): [string, string, Spent] => [
    `history, ${n} points, gate included`,
    `/api/v2/usd/blue/history?limit=${n}`,
    query(n + 10),
  ]),
  ...[1, 100, 500].map((n): [string, string, Spent] => [
    `history, ${n} candles, gate included`,
    `/api/v2/history/usd/blue?limit=${n}`,
    query(n + 10),
  ]),
]

export const requests: Bench = {
  name: 'requests',
  summary: 'rows, round trips and KV reads of whole requests of the edge',
  method:
    `createEdge over D1 and KV of miniflare, ${ACCOUNTS} accounts, ${HOURS} points and a board of one demo cycle; ` +
    `current reads: every current path once a second for ${SECONDS} s of a clock handed in; rows are D1's own count`,
  run: benchRequests,
}

async function benchRequests({ progress }: BenchOptions): Promise<Figure[]> {
  await using storage = await openScratchStorage()
  progress(`making ${ACCOUNTS} accounts, ${HOURS} points and a board`)
  await runDemoCycle(storage, { at: NOW, market: NOW })
  const key = await fillOrdinary(storage.db, NOW - MINUTE_MS)
  const edge = openCountedEdge(storage, key)

  const figures = await currentFigures(edge)
  for (const [name, path, atMost] of REQUESTS) {
    edge.forget()
    await edge.get(path, NOW)
    figures.push(...costFigures(name, edge.spent(), atMost))
  }
  return figures
}

type CountedEdge = ReturnType<typeof openCountedEdge>

async function currentFigures({ get, spent, kvReads }: CountedEdge): Promise<Figure[]> {
  const paths = [...CURRENT_PATHS]
  for (let second = 0; second < SECONDS; second++)
    await Promise.all(paths.map((path) => get(path, NOW + second * SECOND_MS)))

  const name = `current reads, ${paths.length * SECONDS} of them in ${SECONDS} s`
  return [
    ...costFigures(name, spent(), NOTHING),
    { name: `${name}: KV reads`, value: kvReads(), atMost: SECONDS / MEMORY_SECONDS },
  ]
}

/** One isolate's edge; every request must succeed. */
function openCountedEdge(storage: Storage, key: string) {
  const { db, spent, forget } = measured(storage.db)
  let kvReads = 0
  let now: Instant = NOW
  const BOARD = {
    get: (name: string) => {
      kvReads++
      return storage.kv.get(name)
    },
  } as unknown as KVNamespace
  const env = {
    BOARD,
    DB: db,
    DATE_READS: { limit: async () => ({ success: true }) },
    DATE_READ_LIMIT: '20',
    UNKNOWN_KEYS: { limit: async () => ({ success: true }) },
    UNKNOWN_KEY_LIMIT: '30',
    DAILY_PRIVATE_BUDGET: '20000',
  } as unknown as EdgeEnv
  const context = {
    waitUntil() {},
    passThroughOnException() {},
    props: {},
  } as unknown as ExecutionContext
  const edge = createEdge({ now: () => now, site: async () => new Response(null, { status: 404 }) })

  return {
    spent,
    forget,
    kvReads: () => kvReads,
    async get(path: string, at: Instant): Promise<void> {
      now = at
      const headers = { 'x-api-key': key, 'CF-Connecting-IP': '192.0.2.1' }
      const request = new Request(`https://bench.test${path}`, { headers }) as Parameters<
        typeof edge.fetch
      >[0]
      const response = await edge.fetch(request, env, context)
      if (!response.ok) throw new Error(`${path} answered ${response.status}`)
      await response.arrayBuffer()
    },
  }
}
