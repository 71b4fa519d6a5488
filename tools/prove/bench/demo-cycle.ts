import { setTimeout as sleep } from 'node:timers/promises'
import { Big } from 'big.js'
import { type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { runCycle } from '../../../workers/scraper/cycle.ts'
import type { Storage } from '../../operate/admin/open-local.ts'
import { countedKv } from './counted-kv.ts'
import { documentAt } from '../../operate/demo-market/server.ts'

/** The source that answers last, and after how long. */
const SLOW_HOST = 'www.bna.com.ar'
export const SLOW_MS = 500

const MARKET_OPTIONS = { seed: 1, stepMs: 5 * MINUTE_MS }

/** Runs a cycle at `at` that asks every source; their documents are the demo market's at `market`. */
export async function runDemoCycle(
  { db, kv }: Pick<Storage, 'db' | 'kv'>,
  { at, market }: { at: Instant; market: Instant },
) {
  const { kv: BOARD, counts } = countedKv(kv)
  let sends = 0
  const DELIVERIES = { sendBatch: async () => sends++ } as unknown as Queue
  const report = await runCycle(
    {
      BOARD,
      DB: db,
      DELIVERIES,
      QUOTE_STREAM: { getByName: () => ({ publish: async () => {} }) },
      WEBHOOK_ADMISSION: 'open',
      DELIVERY_CAPACITY: '20000',
    },
    {
      now: () => at,
      fetch: answerAsOf(market),
      mode: 'demo',
      everySource: true,
      everySeconds: 300,
      tarjetaRate: new Big('0.30'),
      newToken: () => crypto.randomUUID(),
    },
    at,
  )
  return { report, puts: counts.written, sends }
}

function answerAsOf(market: Instant): typeof fetch {
  return (async (input: RequestInfo | URL) => {
    const { host, pathname, search } = new URL(input instanceof Request ? input.url : input)
    if (host === SLOW_HOST) await sleep(SLOW_MS)
    const body = documentAt(`/${host}${pathname}${search}`, market, MARKET_OPTIONS)
    return new Response(body, { status: body === null ? 404 : 200 })
  }) as typeof fetch
}
