/**
 * What whole requests cost: the edge itself over a D1 and a KV that count. Other benches measure
 * the functions behind it.
 */
import {
  addDays,
  argentineDay,
  dayEnd,
  dayStart,
  MINUTE_MS,
  SECOND_MS,
} from '../../../shared/argentine-time.ts'
import { invoicingStatements } from '../../../shared/db/quotes/invoicing-tables.ts'
import { PAIRS } from '../../../shared/market/catalog.ts'
import { INVOICING_CURRENCIES } from '../../../shared/market/invoicing.ts'
import { COMPATIBILITY_CURRENT_PATHS } from '../../../workers/edge/compatibility/current.ts'
import { runArchive } from '../../../workers/scraper/nightly/archive.ts'
import { CURRENT_PATHS } from '../../../workers/edge/current/current-read.ts'
import { openScratchStorage, type Storage } from '../../operate/admin/open-local.ts'
import { bankDaysFrom } from '../../operate/demo-market/writing.ts'
import type { Bench, BenchOptions, Figure } from './bench.ts'
import { countedKv } from './counted-kv.ts'
import { type CountedEdge, openCountedEdge } from './counted-edge.ts'
import { runDemoCycle } from './demo-cycle.ts'
import { costFigures, type Spent } from './measured.ts'
import { ACCOUNTS, fillOrdinary, HOURS } from './ordinary-database.ts'

const NOW = Date.UTC(2026, 2, 5, 15)
/** Every current path once in each of so many seconds: five minutes of one isolate. */
const SECONDS = 300
const COMPATIBILITY_DAYS = 60
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
  ['date, all pairs today, of the board', '/api/v2/date/2026-03-05', NOTHING],
  ['compatibility day, all dollars, today', '/v1/cotizaciones/dolares/2026/03/05', NOTHING],
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
  return [
    ...figures,
    ...(await closedDayFigures(storage, key)),
    ...(await compatibilityDayFigures(storage, key)),
  ]
}

/** Closed days that nobody asked for yet, at the competitors' addresses: all from one nightly file. */
async function compatibilityDayFigures(storage: Storage, key: string): Promise<Figure[]> {
  const { kv } = countedKv(storage.kv as unknown as KVNamespace)
  await runArchive({ DB: storage.db, BOARD: kv }, { now: () => NOW })
  const edge = openCountedEdge(storage, key)
  edge.forget()
  for (let back = 2; back <= COMPATIBILITY_DAYS + 1; back++) {
    const day = addDays(argentineDay(NOW), -back)
    await edge.get(`/v1/cotizaciones/dolares/${day.replaceAll('-', '/')}`, NOW)
  }
  const name = `compatibility days, ${COMPATIBILITY_DAYS} closed ones in a loop`
  return [
    ...costFigures(name, edge.spent(), NOTHING),
    { name: `${name}: KV reads`, value: edge.kv.read, atMost: 3 },
  ]
}

/** The first read of a closed day also makes its document, after the answer. */
async function closedDayFigures(storage: Storage, key: string): Promise<Figure[]> {
  const path = '/api/v2/date/2026-03-01'
  const points = await storage.db
    .prepare('select count(*) as count from points where at between ?1 and ?2')
    .bind(dayStart('2026-03-01'), dayEnd('2026-03-01'))
    .first<{ count: number }>()
  const made = { roundTrips: 2, rowsRead: 5 * PAIRS.length + points!.count, rowsWritten: 0 }
  const [here, elsewhere] = [openCountedEdge(storage, key), openCountedEdge(storage, key)]

  const figures: Figure[] = []
  for (const [edge, name, atMost] of [
    [here, 'closed day, all pairs, first read, its document made', made],
    [here, 'closed day, read again', NOTHING],
    [elsewhere, 'closed day, read again in another isolate', NOTHING],
  ] as const) {
    edge.forget()
    await edge.get(path, NOW)
    figures.push(...costFigures(name, edge.spent(), atMost))
  }
  const name = 'closed day, in the other isolate: KV reads'
  const writes = here.kv.written + elsewhere.kv.written
  return [
    ...figures,
    { name, value: elsewhere.kv.read, atMost: 2 },
    { name: 'closed day: KV writes', value: writes, atMost: 1 },
  ]
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
