/** The delivery Worker as it is shipped, its D1 counted, beside the bare transport. */
import { connect } from 'cloudflare:sockets'
import type { DeliveryEnv } from '../../../workers/delivery/config.ts'
import { createDelivery } from '../../../workers/delivery/delivery.ts'
import { platform } from '../../../workers/delivery/platform.ts'
import { createPinnedTransport } from '../../../workers/delivery/attempt/transport/pinned.ts'
import { receiversFirst } from '../../../workers/standalone/receivers.ts'
import { measured } from '../measured.ts'

interface Env extends DeliveryEnv {
  /** JSON: the names that stand for the loopback receiver, and its port. */
  RECEIVER: string
}

export interface BareOrder {
  count: number
  concurrency: number
  headers: Record<string, string>
  body: string
}

let counted: ReturnType<typeof measured> | undefined
let delivery: ReturnType<typeof createDelivery> | undefined

export default {
  async fetch(request, env) {
    switch (new URL(request.url).pathname) {
      case '/bare':
        return Response.json(await sendBare(await request.json<BareOrder>(), receiverOf(env)))
      case '/forget':
        database(env).forget()
        return new Response()
      case '/open':
        return Response.json(await hasOpen(env))
      default:
        return Response.json(database(env).spent())
    }
  },
  queue: (batch, env, context) => engine(env).queue(batch, withCounts(env), context),
  scheduled: (controller, env) => engine(env).scheduled(controller, withCounts(env)),
} satisfies ExportedHandler<Env>

function engine(env: Env) {
  if (delivery) return delivery

  const { names, port } = receiverOf(env)
  const endpoints = new Map(names.map((name) => [name, { address: '127.0.0.1', port }]))
  return (delivery = createDelivery({ ...platform, resolveFirst: receiversFirst(endpoints) }))
}

function database({ DB }: Env) {
  counted ??= measured(DB)
  return counted
}

/** Asks D1 directly, so that the count holds only what the engine asks. */
async function hasOpen({ DB }: Env): Promise<boolean> {
  const open = `select 1 from deliveries where status in ('pending', 'sending', 'failed') limit 1`
  return (await DB.prepare(open).first()) !== null
}

function withCounts(env: Env): Env {
  return { ...env, DB: database(env).db }
}

function receiverOf({ RECEIVER }: Env): { names: string[]; port: number } {
  return JSON.parse(RECEIVER) as { names: string[]; port: number }
}

async function sendBare(
  { count, concurrency, headers, body }: BareOrder,
  { names, port }: { names: string[]; port: number },
): Promise<{ ms: number; failed: number }> {
  const transport = createPinnedTransport({ connect })
  const endpoints = [{ address: '127.0.0.1', port }]
  const startedAt = Date.now()
  let left = count
  let failed = 0

  async function sendSome(): Promise<void> {
    while (left-- > 0) {
      const url = new URL(`https://${names[left % names.length]}/hook?token=hidden`)
      const signal = new AbortController().signal
      const { code } = await transport({ url, endpoints, headers, body }, signal)
      if (code !== 204) failed += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, sendSome))
  return { ms: Date.now() - startedAt, failed }
}
