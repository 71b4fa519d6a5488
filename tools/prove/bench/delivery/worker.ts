/** The Worker of `npm start`, except that each request changes a pair. */
import type { Instant } from '../../../../shared/argentine-time.ts'
import { outboxStatements } from '../../../../workers/scraper/db/outbox.ts'
import { findPairByKey, type PairKey } from '../../../../shared/market/catalog.ts'
import { numberToPrice } from '../../../../shared/market/price.ts'
import { enqueue } from '../../../../shared/webhooks/enqueue.ts'
import standalone from '../../../../workers/standalone/index.ts'

export { QuoteStream } from '../../../../workers/standalone/index.ts'

type Env = Parameters<typeof standalone.fetch>[1]

/** A change of a pair and its deliveries. */
export interface Change {
  /** When its batch began. */
  at: Instant
  /** When its deliveries were committed. */
  committedAt: Instant
  deliveries: number
}

export default {
  fetch: async (request, env) =>
    Response.json(await change(env, (await request.text()) as PairKey)),
  queue: standalone.queue,
} satisfies ExportedHandler<Env>

/** Inserts the deliveries of one change and sends their queue messages, as the scraper does. */
async function change(env: Env, key: PairKey): Promise<Change> {
  const at = Date.now()
  const stamps = { updatedAt: at, lastScrapedAt: at }
  const quote = {
    pair: findPairByKey(key)!,
    ...prices(1430),
    source: 'bench',
    ...stamps,
    referenceSell: null,
  }
  const options = { at, admitted: true, capacity: 10_000, system: null }
  const [inserted] = await env.DB.batch<{ id: number }>(
    outboxStatements(env.DB, [{ quote, previous: prices(1420) }], options),
  )
  const rows = inserted!.results
  const committedAt = Date.now()
  await enqueue({ queue: env.DELIVERIES }, rows)
  return { at, committedAt, deliveries: rows.length }
}

function prices(sell: number) {
  return { buy: numberToPrice(sell - 20), sell: numberToPrice(sell) }
}
