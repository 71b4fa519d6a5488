/**
 * What whole requests cost: the edge itself over a D1 and a KV that count. Other benches measure
 * the functions behind it.
 */
import {
  addDays,
  argentineDay,
  dayEnd,
  MINUTE_MS,
  SECOND_MS,
} from '../../../shared/argentine-time.ts'
import { invoicingStatements } from '../../../shared/db/quotes/invoicing-tables.ts'
import { PAIRS } from '../../../shared/market/catalog.ts'
import { INVOICING_CURRENCIES } from '../../../shared/market/invoicing.ts'
import { COMPATIBILITY_CURRENT_PATHS } from '../../../workers/edge/compatibility/current.ts'
import { CURRENT_PATHS } from '../../../workers/edge/current/current-read.ts'
import { openScratchStorage } from '../../operate/admin/open-local.ts'
import { bankDaysFrom } from '../../operate/demo-market/documents.ts'
import type { Bench, BenchOptions, Figure } from './bench.ts'
import { type CountedEdge, openCountedEdge } from './counted-edge.ts'
import { runDemoCycle } from './demo-cycle.ts'
import { costFigures, type Spent } from './measured.ts'
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
    'date, one pair at an hour of today',
    '/api/v2/date/2026-03-05/usd/blue?time=10:00',
    { ...NOTHING, roundTrips: 1, rowsRead: 1 },
  ],
  [
    'date, all pairs at an hour of today',
    '/api/v2/date/2026-03-05?time=10:00',
    { ...NOTHING, roundTrips: 1, rowsRead: PAIRS.length },
  ],
  [
    'compatibility day, all dollars',
    '/v1/cotizaciones/dolares/2026/03/05',
    { ...NOTHING, roundTrips: 1, rowsRead: 7 },
  ],
  ['conversion of now', '/api/v2/convert?amount=100&from=EUR&to=USD&origin=blue', NOTHING],
  [
    'conversion at an hour of today, two pairs',
    '/api/v2/convert?amount=100&from=EUR&to=USD&origin=blue&date=2026-03-05&time=10:00',
    { ...NOTHING, roundTrips: 1, rowsRead: 2 },
  ],
  [
    'invoicing rate, one currency',
    '/api/v2/invoicing/usd?date=2026-03-05',
    { ...NOTHING, roundTrips: 1, rowsRead: 6 },
  ],
  [
    'invoicing rates, all of the table',
    '/api/v2/invoicing?date=2026-03-05',
    { ...NOTHING, roundTrips: 1, rowsRead: 6 * INVOICING_CURRENCIES.length },
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
  await fillInvoicing(storage.db)
  const edge = openCountedEdge(storage, key)

  const figures = [
    ...(await currentFigures(edge, 'current reads', [...CURRENT_PATHS])),
    ...(await currentFigures(edge, 'compatibility addresses', COMPATIBILITY_CURRENT_PATHS)),
  ]
  for (const [name, path, atMost] of REQUESTS) {
    edge.forget()
    await edge.get(path, NOW)
    figures.push(...costFigures(name, edge.spent(), atMost))
  }
  return [...figures, ...(await closedDayFigures(edge))]
}

/** A day that is over, which the isolate repeats for a minute. */
async function closedDayFigures(edge: CountedEdge): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, atMost] of [
    ['closed day, all pairs', { ...NOTHING, roundTrips: 1, rowsRead: PAIRS.length }],
    ['closed day, read again within a minute', NOTHING],
  ] as const) {
    edge.forget()
    await edge.get('/api/v2/date/2026-03-01', NOW)
    figures.push(...costFigures(name, edge.spent(), atMost))
  }
  return figures
}

async function currentFigures(
  { get, spent, forget, kv }: CountedEdge,
  what: string,
  paths: readonly string[],
): Promise<Figure[]> {
  forget()
  const before = kv.read
  for (let second = 0; second < SECONDS; second++)
    await Promise.all(paths.map((path) => get(path, NOW + second * SECOND_MS)))

  const name = `${what}, ${paths.length * SECONDS} of them in ${SECONDS} s`
  return [
    ...costFigures(name, spent(), NOTHING),
    { name: `${name}: KV reads`, value: kv.read - before, atMost: SECONDS / MEMORY_SECONDS },
  ]
}

/** A year of the bank's tables. */
async function fillInvoicing(db: D1Database): Promise<void> {
  const rates = INVOICING_CURRENCIES.map(({ code }) => ({
    currency: code,
    units: 1,
    buy: '1450.5',
    sell: '1460.5',
  }))
  for (const day of bankDaysFrom(addDays(argentineDay(NOW), -365), argentineDay(NOW))) {
    const table = { day, publishedAt: null, source: 'bench', rates }
    await db.batch(invoicingStatements(db, table, dayEnd(day)))
  }
}
