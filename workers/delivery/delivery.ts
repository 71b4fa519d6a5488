import type { Instant } from '../../shared/argentine-time.ts'
import { orAbsent } from '../../shared/config/or-absent.ts'
import { parseDeadLetterQueue, parseMailFrom } from '../../shared/config/config.ts'
import { logFailure } from '../../shared/log.ts'
import { isSweepMessage } from '../../shared/webhooks/delivery.ts'
import { hostEgress, platformEgress } from './attempt/egress.ts'
import { createResolver, type Resolve } from './attempt/resolver.ts'
import { type DeliveryEnv, readConfig } from './config.ts'
import { consume } from './consume/consume.ts'
import { requeueDeadLetters } from './consume/dead-letters.ts'
import type { SendMail } from './sweep/notices.ts'
import { sweep } from './sweep/sweep.ts'

/** What the platform gives. Tests and the local start choose their own. */
export interface DeliveryDeps {
  now: () => Instant
  /** At least 0, below 1. */
  random: () => number
  newToken: () => string
  sleep: (ms: number) => Promise<void>
  fetch: typeof globalThis.fetch
  /**
   * Puts something before the resolver. The local start answers its `--receiver` names there; no
   * deployed entry does.
   */
  resolveFirst?: (resolve: Resolve) => Resolve
}

/**
 * Batches that an isolate sends at once. It bounds memory while every receiver hangs. The queue gets its
 * answer when a batch is claimed: locally it hands out one at a time, and on Cloudflare one more
 * consumer only after a batch.
 */
const BATCHES_AT_ONCE = 40

/** A batch that began so long ago belongs to an invocation that the platform ended. */
const BATCH_MS = 45_000

/** How often a batch asks whether it may begin. */
const ROOM_POLL_MS = 20

/** The queue consumer, its dead letters, and the sweep of every minute. */
export function createDelivery(deps: DeliveryDeps) {
  /** Plain data, for it outlives every invocation. */
  const underWay = new Set<{ since: Instant }>()

  return {
    async queue(batch: MessageBatch<unknown>, env: DeliveryEnv, context: ExecutionContext) {
      if (batch.queue === parseDeadLetterQueue(env.DEAD_LETTER_QUEUE))
        return requeueDeadLetters(env.DB, batch.messages)

      const hints = batch.messages.filter(({ body }) => !isSweepMessage(body))
      if (hints.length < batch.messages.length)
        context.waitUntil(sweepIn(env).catch((error) => logFailure('sweep_failed', error)))

      const egress = env.EGRESS ? hostEgress(env.EGRESS) : platformEgress(deps.fetch)
      const network = { resolve: resolver(deps, env), egress }
      const bindings = { db: env.DB, queue: env.DELIVERIES }
      const runDeps = { ...deps, ...readConfig(env), ...network, ...bindings }

      while (!hasRoom()) await deps.sleep(ROOM_POLL_MS)
      const mine = { since: deps.now() }
      underWay.add(mine)
      const run = await consume(runDeps, hints)
      context.waitUntil((run?.finish() ?? Promise.resolve()).finally(() => underWay.delete(mine)))
    },

    scheduled: (_controller: ScheduledController, env: DeliveryEnv) => sweepIn(env),
  }

  function hasRoom(): boolean {
    for (const batch of underWay) if (batch.since <= deps.now() - BATCH_MS) underWay.delete(batch)
    return underWay.size < BATCHES_AT_ONCE
  }

  function sweepIn(env: DeliveryEnv): Promise<void> {
    return sweep({
      ...deps,
      ...readConfig(env),
      db: env.DB,
      queue: env.DELIVERIES,
      sendMail: mailer(env),
      sweepAgain: (message) => env.DELIVERIES.send(message),
    })
  }
}

function resolver({ fetch, resolveFirst }: DeliveryDeps, env: DeliveryEnv): Resolve {
  const resolve = createResolver({ fetch, url: env.DNS_OVER_HTTPS_URL })
  return resolveFirst ? resolveFirst(resolve) : resolve
}

/** Null without e-mail, or with a malformed sender: the sweep goes on without notices. */
function mailer({ EMAIL, MAIL_FROM }: DeliveryEnv): SendMail | null {
  const from = orAbsent(() => parseMailFrom(MAIL_FROM))
  return EMAIL && from ? (mail) => EMAIL.send({ from, ...mail }) : null
}
