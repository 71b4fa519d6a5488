import { fire } from './fire.ts'
import type { Load } from './load.ts'
import { seedKeys } from './seed-keys.ts'
import { openService } from './service.ts'
import { requestsOf, type Shot } from './shots.ts'
import { Tally } from './tally.ts'

const CONNECTIONS = 16
/** Taken in turn: at 60 requests a minute each, enough for 4,000 a second. */
const KEYS = 4000

const SHOTS: Shot[] = [
  { path: '/api/v2/usd/blue/history' },
  { path: '/api/v2/usd/bolsa/history?limit=500' },
  { path: '/api/v2/history/usd/blue?limit=90' },
  { path: '/api/v2/eur/oficial/history?format=csv' },
  { path: '/api/v2/auth/check' },
]

export const privateReads: Load = {
  name: 'private',
  summary: `history, candles, CSV and the key check with ${KEYS} keys in turn, from ${CONNECTIONS} connections`,
  async run({ seconds }) {
    let keys: string[] = []
    await using service = await openService({
      args: ['--demo', '--var', 'DAILY_PRIVATE_BUDGET=1000000000'],
      seed: async (db) => {
        keys = await seedKeys(db, KEYS)
        await seedHistory(db)
      },
    })
    const tally = new Tally()
    let next = 0
    const requests = requestsOf(SHOTS, tally, () => ({ 'x-api-key': keys[next++ % KEYS]! }))
    return await service.underLoad(seconds, (seconds) =>
      fire({ url: service.url, seconds, connections: CONNECTIONS, requests, tally }),
    )
  },
}

/** A thousand hourly points for each pair: pages of history that are full. */
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
