/**
 * What whole requests cost: the edge itself over a D1 and a KV that count. Other benches measure
 * the functions behind it.
 */
import {
  addDays,
  argentineDay,
  dayEnd,
  type Instant,
  MINUTE_MS,
  SECOND_MS,
} from '../../../shared/argentine-time.ts'
import { generateKey } from '../../../shared/access/api-key.ts'
import { rebuildCandles } from '../../../shared/db/quotes/candles.ts'
import { invoicingStatements } from '../../../shared/db/quotes/invoicing-tables.ts'
import { findPairByKey, PAIRS } from '../../../shared/market/catalog.ts'
import { INVOICING_CURRENCIES } from '../../../shared/market/invoicing.ts'
import { COMPATIBILITY_CURRENT_PATHS } from '../../../workers/edge/compatibility/current.ts'
import type { EdgeEnv } from '../../../workers/edge/context.ts'
import { CURRENT_PATHS } from '../../../workers/edge/current/current-read.ts'
import { createEdge } from '../../../workers/edge/edge.ts'
import { openScratchStorage, type Storage } from '../../operate/admin/open-local.ts'
import { bankDaysFrom } from '../../operate/demo-market/documents.ts'
import { randomBytes } from '../../support/random.ts'
import { runDemoCycle } from './cycle.ts'
import { costFigures, measured, measuredKv, type Spent } from './measured.ts'
import type { Bench, Figure } from './report.ts'

const ACCOUNTS = 200
const HOURS = 20_000
const NOW = Date.UTC(2026, 2, 5, 15)
/** Every current path once in each of so many seconds: five minutes of one isolate. */
const SECONDS = 300
/** How long an isolate keeps what it read from KV. */
const MEMORY_SECONDS = 30

/** Of the gate, which every private request passes. */
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
  ['history, 500 points, gate included', '/api/v2/usd/blue/history?limit=500', query(510)],
  ['history, 500 candles, gate included', '/api/v2/history/usd/blue?limit=500', query(510)],
  [
    'closed day, all pairs',
    '/api/v2/date/2026-03-01',
    { ...NOTHING, roundTrips: 1, rowsRead: PAIRS.length },
  ],
  ['closed day, read again within a minute', '/api/v2/date/2026-03-01', NOTHING],
]

export const requests: Bench = {
  name: 'requests',
  method:
    `rows, round trips and KV reads of whole requests of the edge over D1 and KV of miniflare, with ` +
    `${ACCOUNTS} accounts, ${HOURS} points and a board; of current reads every path once a second for ` +
    `${SECONDS} s of a clock handed in`,
  run: benchRequests,
}

async function benchRequests(progress: (line: string) => void): Promise<Figure[]> {
  await using storage = await openScratchStorage()
  progress(`making ${ACCOUNTS} accounts, ${HOURS} points and a board`)
  await runDemoCycle(storage, { at: NOW, market: NOW })
  const key = await fillDatabase(storage.db)
  const edge = openEdge(storage, key)

  const figures = [
    ...(await currentFigures(edge, 'current reads', [...CURRENT_PATHS])),
    ...(await currentFigures(edge, 'compatibility addresses', COMPATIBILITY_CURRENT_PATHS)),
  ]
  for (const [name, path, atMost] of REQUESTS) {
    edge.forget()
    await edge.get(path, NOW)
    figures.push(...costFigures(name, edge.spent(), atMost))
  }
  return figures
}

async function currentFigures(
  { get, spent, forget, kv }: ReturnType<typeof openEdge>,
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

const nothing = async () => new Response(null, { status: 404 })

/** The edge of one isolate, whose every request must succeed. */
function openEdge(storage: Storage, key: string) {
  const { db, spent, forget } = measured(storage.db)
  const { kv, counts } = measuredKv(storage.kv)
  let now: Instant = 0
  const limiter = { limit: async () => ({ success: true }) }
  const env = {
    BOARD: kv,
    DB: db,
    DATE_READS: limiter,
    DATE_READ_LIMIT: '20',
    COMPATIBILITY: 'on',
    COMPATIBILITY_DAYS: limiter,
    UNKNOWN_KEYS: limiter,
    UNKNOWN_KEY_LIMIT: '30',
    DAILY_PRIVATE_BUDGET: '20000',
  } as unknown as EdgeEnv
  const edge = createEdge({ now: () => now, site: nothing, random: () => new Uint8Array() })

  return {
    spent,
    forget,
    kv: counts,
    async get(path: string, at: Instant): Promise<void> {
      now = at
      const after: Promise<unknown>[] = []
      const context = {
        waitUntil: (work: Promise<unknown>) => after.push(work),
        passThroughOnException() {},
        props: {},
      } as unknown as ExecutionContext
      const headers = { 'x-api-key': key, 'CF-Connecting-IP': '192.0.2.1' }
      const request = new Request(`https://bench.test${path}`, { headers })
      const asked = request as Parameters<typeof edge.fetch>[0]
      const response = await edge.fetch(asked, env, context)
      if (!response.ok) throw new Error(`${path} answered ${response.status}`)
      await response.arrayBuffer()
      // What goes on after the answer counts with it.
      await Promise.all(after)
    },
  }
}

/** Accounts, years of points and their candles, a year of the bank's tables; returns a key. */
async function fillDatabase(db: D1Database): Promise<string> {
  const keys = await Promise.all(Array.from({ length: ACCOUNTS }, () => generateKey(randomBytes)))
  const rows = JSON.stringify(
    keys.map(({ prefix, hash }) => ({ account: crypto.randomUUID(), prefix, hash })),
  )
  const blue = findPairByKey('usd/blue')!
  await db.batch([
    db
      .prepare(
        `insert into accounts (id, name, email, email_verified, created_at, updated_at)
         select value ->> 'account', 'bench', (value ->> 'account') || '@bench.test', 1, ?2, ?2
         from json_each(?1)`,
      )
      .bind(rows, NOW),
    db
      .prepare(
        `insert into api_keys (id, account_id, name, prefix, hash, inherited, created_at)
         select value ->> 'hash', value ->> 'account', 'bench', value ->> 'prefix',
           value ->> 'hash', 0, ?2
         from json_each(?1)`,
      )
      .bind(rows, NOW),
    db
      .prepare(
        `insert into points with recursive n(i) as
           (select 0 union all select i + 1 from n where i < ?1)
         select ?2, ?3 - i * 3600000, 1, i % 7, 'bench' from n`,
      )
      .bind(HOURS, blue.id, NOW - MINUTE_MS),
  ])
  await rebuildCandles(db, blue, '2020-01-01', argentineDay(NOW))

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
  return keys[0]!.key
}
