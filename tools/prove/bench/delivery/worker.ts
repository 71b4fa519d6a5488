/** The delivery Worker as it is shipped, its D1 counted, beside the bare way out. */
import type { Instant } from '../../../../shared/argentine-time.ts'
import { outboxStatements } from '../../../../workers/scraper/db/outbox.ts'
import { findPairByKey, type PairKey } from '../../../../shared/market/catalog.ts'
import { numberToPrice } from '../../../../shared/market/price.ts'
import { type DueRow, enqueue } from '../../../../shared/webhooks/enqueue.ts'
import { claimsOf, claimStatement } from '../../../../shared/db/deliveries/claim.ts'
import { deliveredStatements } from '../../../../shared/db/deliveries/settle.ts'
import type { DeliveryEnv } from '../../../../workers/delivery/config.ts'
import { createDelivery } from '../../../../workers/delivery/delivery.ts'
import { platform } from '../../../../workers/delivery/platform.ts'
import { hostEgress } from '../../../../workers/delivery/attempt/egress.ts'
import { receiversFirst } from '../../../../workers/standalone/receivers.ts'
import { measured } from '../measured.ts'

interface Env extends DeliveryEnv {
  EGRESS: Fetcher
  /** JSON: the names of receivers. */
  RECEIVERS: string
}

export interface BareOrder {
  count: number
  concurrency: number
  headers: Record<string, string>
  body: string
  hosts: string[]
}

/** A change that was made. */
export interface Change {
  /** When its batch began. */
  at: Instant
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
    case '/bare':
      return sendBare(await request.json<BareOrder>(), env)
    case '/settle-unsent':
      return settleUnsent(env)
    case '/change':
      return change(env, await request.json<PairKey>())
    case '/enqueue':
      database(env).forget()
      return enqueue({ queue: env.DELIVERIES }, await request.json<DueRow[]>())
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
  const options = { at, admitted: true, capacity: 1000, system: null }
  const [inserted] = await env.DB.batch<{ id: number }>(
    outboxStatements(env.DB, [{ quote, previous: prices(1420) }], options),
  )
  const rows = inserted!.results
  await enqueue({ queue: env.DELIVERIES }, rows)
  return { at, deliveries: rows.length }
}

function prices(sell: number) {
  return { buy: numberToPrice(sell - 20), sell: numberToPrice(sell) }
}

/** Asks D1 directly, so that the count holds only what the engine asks. */
async function hasOpen({ DB }: Env): Promise<boolean> {
  const open = `select 1 from deliveries where status in ('pending', 'sending', 'failed') limit 1`
  return (await DB.prepare(open).first()) !== null
}

function withCounts(env: Env): Env {
  return { ...env, DB: database(env).db }
}

/** Rows of a round trip where nothing is sent. */
const AT_ONCE = 15

/** What a backlog writes and claims, as many rows a round trip, without any attempt. */
async function settleUnsent({ DB }: Env): Promise<void> {
  const open = `select id from deliveries where resolved_at is null`
  const { results } = await DB.prepare(open).all<{ id: number }>()
  let settling: D1PreparedStatement[] = []
  for (let start = 0; start < results.length + AT_ONCE; start += AT_ONCE) {
    const now = Date.now()
    const ids = results.slice(start, start + AT_ONCE).map(({ id }) => id)
    const claiming = claimStatement(DB, ids, crypto.randomUUID(), now)
    const answers = await DB.batch([...settling, claiming])
    const delivered = claimsOf(answers.at(-1)!).map((claim) => ({ claim, code: 204 }))
    settling = deliveredStatements(DB, delivered, now)
  }
}

/** What the engine does for an attempt on the network, and nothing else; how many failed. */
async function sendBare(
  { count, concurrency, headers, body, hosts }: BareOrder,
  { EGRESS }: Env,
): Promise<number> {
  const egress = hostEgress(EGRESS)
  let left = count
  let failed = 0

  async function sendSome(host: string): Promise<void> {
    while (left-- > 0) {
      const url = new URL(`https://${host}/hook?token=hidden`)
      const { signal } = new AbortController()
      const { code } = await egress(
        { url, addresses: [], accountId: 'account', headers, body },
        signal,
      )
      if (code !== 204) failed += 1
    }
  }
  const senders = Array.from({ length: concurrency }, (_, index) => hosts[index % hosts.length]!)
  await Promise.all(senders.map(sendSome))
  return failed
}
