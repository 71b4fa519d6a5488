/** Loads of plain reads: the current ones, what the public asks, and what needs a key. */
import { CURRENT_PATHS } from '../../../workers/edge/current/current-read.ts'
import { openLocal } from '../../operate/admin/open-local.ts'
import { temporaryFolder } from '../../support/scratch.ts'
import { startService } from '../harness/service.ts'
import { type Load, type LoadResult, runLoad, type Shot } from './load.ts'
import { seedKeys } from './seed-keys.ts'

const CONNECTIONS = 16
/** Taken in turn: at 60 requests a minute each, enough for 4,000 a second. */
const KEYS = 4000

const current: Load = {
  name: 'current',
  summary: `every current read in turn, v2 and v1, from ${CONNECTIONS} connections`,
  run: ({ seconds }) => runReads(seconds, async () => [...CURRENT_PATHS].map((path) => ({ path }))),
}

const publicReads: Load = {
  name: 'public',
  summary:
    `pairs, lists, dates, revalidation, status, pages, badge, card, documents and unknown pairs, from ` +
    `${CONNECTIONS} connections`,
  run({ seconds }) {
    let next = 0
    // Date reads are limited by address.
    const headers = () => ({ 'CF-Connecting-IP': addressOf(next++) })
    return runReads(seconds, publicShots, { headers })
  },
}

const privateReads: Load = {
  name: 'private',
  summary: `history, candles, CSV and the key check with ${KEYS} keys in turn, from ${CONNECTIONS} connections`,
  async run({ seconds }) {
    let keys: string[] = []
    let next = 0
    return await runReads(seconds, async () => PRIVATE_SHOTS, {
      args: ['--demo', '--var', 'DAILY_PRIVATE_BUDGET=1000000000'],
      seed: async (db) => {
        keys = await seedKeys(db, KEYS)
        await seedHistory(db)
      },
      headers: () => ({ 'x-api-key': keys[next++ % KEYS]! }),
    })
  },
}

export const loads: readonly Load[] = [current, publicReads, privateReads]

const PRIVATE_SHOTS: Shot[] = [
  { path: '/api/v2/usd/blue/history' },
  { path: '/api/v2/usd/bolsa/history?limit=500' },
  { path: '/api/v2/history/usd/blue?limit=90' },
  { path: '/api/v2/eur/oficial/history?format=csv' },
  { path: '/api/v2/auth/check' },
]

interface Setting {
  args?: string[]
  /** Fills the new state first. */
  seed?: (db: D1Database) => Promise<void>
  /** Those of the next request. */
  headers?: () => Record<string, string>
}

/** Loads a fresh service. */
async function runReads(
  seconds: number,
  shotsAt: (url: string) => Promise<Shot[]>,
  { args = ['--demo'], seed, headers }: Setting = {},
): Promise<LoadResult> {
  const stateDir = temporaryFolder()
  if (seed) {
    await using storage = await openLocal(stateDir)
    await seed(storage.db)
  }
  await using service = await startService([...args, '--no-backfill'], { stateDir })
  const { url, workerdPid: pid } = service
  const shots = await shotsAt(url)
  return await runLoad({ url, pid, seconds, connections: CONNECTIONS, shots, headers })
}

/** As readers mix them: mostly pairs, some lists, a page now and then. */
async function publicShots(url: string): Promise<Shot[]> {
  const { headers } = await fetch(`${url}/api/v2/arg/cer`)
  const etag = headers.get('ETag')!
  const pairs = ['usd/blue', 'usd/bolsa', 'usd/ccl', 'EUR/Oficial', 'arg/riesgo']
  const pages = '/ /usd/blue /estado /badge/usd/blue.svg /embed/usd/blue /docs'.split(' ')

  return [
    ...pairs.map((pair) => ({ path: `/api/v2/${pair}` })),
    ...pairs.map((pair) => ({ path: `/api/${pair}` })),
    ...['/api/v2/quotes', '/api/v2/usd', '/api/brl'].map((path) => ({ path })),
    // 304, or 200 after a new cycle: it confirms the index, which stands still all day.
    { path: '/api/v2/arg/cer', headers: { 'If-None-Match': etag }, expect: [200, 304] },
    ...['', '/usd/blue?format=csv'].map((rest) => ({ path: `/api/v2/date/2026-03-01${rest}` })),
    { path: '/api/v2/status' },
    { path: '/api/v2/usd/nada', headers: { Accept: 'application/json' }, expect: [404] },
    { path: '/api/v2/usd/nada', expect: [404] },
    ...[...pages, '/openapi/quotes.json', '/llms.txt'].map((path) => ({ path })),
    { path: '/no-hay-tal-pagina', expect: [404] },
  ]
}

/** 10.0.0.0/8, from the start. */
function addressOf(index: number): string {
  return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
}

/** A thousand hourly points for each pair, so that pages of history are full. */
async function seedHistory(db: D1Database): Promise<void> {
  await db
    .prepare(
      `insert into points (pair, at, buy, sell, source)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000),
         p(pair) as (select 1 union all select pair + 1 from p where pair < 19)
       select pair, ?1 - i * 3600000, 14000000 + i * 100, 14200000 + i * 100, 'load' from p, n`,
    )
    .bind(Date.now() - 3_600_000)
    .run()
}
