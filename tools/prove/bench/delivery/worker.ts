/** The delivery Worker as deployed, which also counts its use of D1. */
import type { Instant } from '../../../../shared/argentine-time.ts'
import { outboxStatements } from '../../../../workers/scraper/db/outbox.ts'
import { findPairByKey, type PairKey } from '../../../../shared/market/catalog.ts'
import { numberToPrice } from '../../../../shared/market/price.ts'
import { enqueue } from '../../../../shared/webhooks/enqueue.ts'
import type { DeliveryEnv } from '../../../../workers/delivery/config.ts'
import { createDelivery, platform } from '../../../../workers/delivery/delivery.ts'
import { receiversFirst } from '../../../../workers/standalone/receivers.ts'
import { measured } from '../measured.ts'

interface Env extends DeliveryEnv {
  EGRESS: Fetcher
  /** JSON: the names of receivers. */
  RECEIVERS: string
}

/** A change that was made. */
export interface Change {
  /** When its batch began. */
  at: Instant
  /** When its deliveries were committed. */
  committedAt: Instant
  deliveries: number
}

let counted: ReturnType<typeof measured> | undefined
let delivery: ReturnType<typeof createDelivery> | undefined

export default {
  fetch: async (request, env) => Response.json((await answerTo(request, env)) ?? null),
  queue: (batch, env, context) => engine(env).queue(batch, withCounts(env), context),
  scheduled: (controller, env) => engine(env).scheduled(controller, withCounts(env)),
} satisfies ExportedHandler<Env>

async function answerTo(request: Request, env: Env): Promise<unknown> {
  switch (new URL(request.url).pathname) {
    case '/change':
      return change(env, await request.json<PairKey>())
    case '/open':
      return hasOpen(env)
    default:
      return database(env).spent()
  }
}

function engine({ RECEIVERS }: Env) {
  const names = JSON.parse(RECEIVERS) as string[]
  return (delivery ??= createDelivery({ ...platform, resolveFirst: receiversFirst(names) }))
}

function database({ DB }: Env) {
  counted ??= measured(DB)
  return counted
}

/** Makes the deliveries of one change, and their hints, as the scraper does. */
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
  database(env).forget()
  await enqueue({ queue: env.DELIVERIES }, rows)
  return { at, committedAt, deliveries: rows.length }
}

function prices(sell: number) {
  return { buy: numberToPrice(sell - 20), sell: numberToPrice(sell) }
}

/** Asks D1 directly, so that the count has only the statements of the engine. */
async function hasOpen({ DB }: Env): Promise<boolean> {
  const open = `select 1 from deliveries where status in ('pending', 'sending', 'failed') limit 1`
  return (await DB.prepare(open).first()) !== null
}

function withCounts(env: Env): Env {
  return { ...env, DB: database(env).db }
}
