/** The delivery Worker as it is shipped, its D1 counted, beside the bare transport. */
import { connect } from 'cloudflare:sockets'
import type { Instant } from '../../../shared/argentine-time.ts'
import { outboxStatements } from '../../../shared/db/deliveries/outbox.ts'
import { findPairByKey, type PairKey } from '../../../shared/market/catalog.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import type { WaitingRow } from '../../../shared/db/deliveries/waiting.ts'
import { enqueue } from '../../../shared/webhooks/enqueue.ts'
import type { DeliveryEnv } from '../../../workers/delivery/config.ts'
import { createDelivery } from '../../../workers/delivery/delivery.ts'
import { platform } from '../../../workers/delivery/platform.ts'
import { KeepingHosts } from '../../../workers/delivery/attempt/transport/keeping-hosts.ts'
import { KeptConnections } from '../../../workers/delivery/attempt/transport/kept-connections.ts'
import { createPinnedTransport } from '../../../workers/delivery/attempt/transport/pinned.ts'
import { receiversFirst } from '../../../workers/standalone/receivers.ts'
import { measured } from '../measured.ts'

interface Env extends DeliveryEnv {
  /** JSON: loopback ports by the names of their receivers. */
  RECEIVERS: string
}

export interface BareOrder {
  count: number
  concurrency: number
  headers: Record<string, string>
  body: string
  hosts: string[]
  /** Whether connections are used again; else each POST has one of its own. */
  isKept: boolean
}

/** A change that was made. */
export interface Change {
  /** When its batch began. */
  at: Instant
  deliveries: number
}

const keepingHosts = new KeepingHosts(platform)
/** How many were opened. */
let connections = 0
let counted: ReturnType<typeof measured> | undefined
let delivery: ReturnType<typeof createDelivery> | undefined

export default {
  async fetch(request, env) {
    switch (new URL(request.url).pathname) {
      case '/bare':
        return Response.json(await sendBare(await request.json<BareOrder>(), portsOf(env)))
      case '/forget':
        database(env).forget()
        connections = 0
        return new Response()
      case '/change':
        return Response.json(await change(env, await request.json<PairKey>()))
      case '/open':
        return Response.json(await hasOpen(env))
      default:
        return Response.json({ ...database(env).spent(), connections })
    }
  },
  queue: (batch, env, context) => engine(env).queue(batch, withCounts(env), context),
  scheduled: (controller, env) => engine(env).scheduled(controller, withCounts(env)),
} satisfies ExportedHandler<Env>

function engine(env: Env) {
  if (delivery) return delivery

  const endpoints = new Map(
    Object.entries(portsOf(env)).map(([name, port]) => [name, { address: '127.0.0.1', port }]),
  )
  return (delivery = createDelivery({
    ...platform,
    connect(...to) {
      connections += 1
      return connect(...to)
    },
    resolveFirst: receiversFirst(endpoints),
  }))
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
  const [inserted] = await env.DB.batch<WaitingRow>(
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

function portsOf({ RECEIVERS }: Env): Record<string, number> {
  return JSON.parse(RECEIVERS) as Record<string, number>
}

async function sendBare(
  { count, concurrency, headers, body, hosts, isKept }: BareOrder,
  ports: Record<string, number>,
): Promise<{ ms: number; failed: number }> {
  const kept = new KeptConnections({ ...platform, hosts: keepingHosts, limit: concurrency })
  const transport = createPinnedTransport(isKept ? { connect, kept } : { connect })
  const startedAt = Date.now()
  let left = count
  let failed = 0

  async function sendSome(host: string): Promise<void> {
    const endpoints = [{ address: '127.0.0.1', port: ports[host]! }]
    while (left-- > 0) {
      const url = new URL(`https://${host}/hook?token=hidden`)
      const signal = new AbortController().signal
      const { code } = await transport(
        { url, endpoints, headers, body, isFollowed: isKept },
        signal,
      )
      if (code !== 204) failed += 1
    }
  }
  const senders = Array.from({ length: concurrency }, (_, index) => hosts[index % hosts.length]!)
  await Promise.all(senders.map(sendSome))
  kept.closeAll()
  return { ms: Date.now() - startedAt, failed }
}
