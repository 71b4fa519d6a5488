import { type Instant, MINUTE_MS, SECOND_MS } from '../../shared/argentine-time.ts'
import { orAbsent, logFailure } from '../../shared/log.ts'
import { setting } from '../../shared/config/config.ts'
import { runJob } from '../../shared/cron.ts'
import { type SendMail, mailThrough } from '../../shared/mail.ts'
import { isSweepMessage } from '../../shared/webhooks/delivery.ts'
import { askForSweep } from '../../shared/webhooks/enqueue.ts'
import { hostEgress, platformEgress } from './attempt/egress.ts'
import { type Resolve, createResolver } from './attempt/resolver.ts'
import { type DeliveryEnv, readConfig } from './config.ts'
import { consume } from './consume/consume.ts'
import type { Run } from './consume/run.ts'
import { sweep } from './sweep/sweep.ts'

/** What the platform provides. Tests and the local start replace some of it. */
export interface DeliveryDeps {
  now: () => Instant
  /** At least 0 and less than 1. */
  random: () => number
  newToken: () => string
  sleep: (ms: number) => Promise<void>
  fetch: typeof globalThis.fetch
  /** Wraps the resolver. Only the local start uses this, for its `--receiver` names. */
  resolveFirst?: (resolve: Resolve) => Resolve
}

export const platform: DeliveryDeps = {
  now: () => Date.now(),
  random: () => Math.random(),
  newToken: () => crypto.randomUUID(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  fetch: (...request) => fetch(...request),
}

/**
 * A batch is claimed only while the isolate holds fewer claims than this. Bounds the memory if
 * every receiver hangs.
 */
const MAX_HELD = 400

/** The platform has ended the invocation of a run that started this long ago. */
const RUN_MS = 45_000

/** A sweep is abandoned after this time. It may still run: its statements have conditions. */
const SWEEP_LIMIT_MS = 2 * MINUTE_MS

/** A batch may take this long to claim its rows. After that, its messages are retried. */
const CLAIM_LIMIT_MS = 30 * SECOND_MS

/** A waiting batch checks this often whether it may start. */
const ROOM_POLL_MS = 20

/** The queue consumer and the sweep, which runs every minute. */
export function createDelivery(deps: DeliveryDeps) {
  /** Runs of all invocations. Only plain data of another invocation's run may be read. */
  const underWay = new Set<Run>()

  return {
    async queue(batch: MessageBatch<unknown>, env: DeliveryEnv, context: ExecutionContext) {
      const hints = batch.messages.filter(({ body }) => !isSweepMessage(body))
      if (hints.length < batch.messages.length) context.waitUntil(sweepIn(env).catch(() => {}))

      const egress = env.EGRESS ? hostEgress(env.EGRESS) : platformEgress(deps.fetch)
      const resolver = createResolver(deps.fetch, env)
      const resolve = deps.resolveFirst ? deps.resolveFirst(resolver) : resolver
      const bindings = { db: env.DB, queue: env.DELIVERIES }
      const runDeps = { ...deps, ...readConfig(env), ...bindings, resolve, egress }

      while (!hasRoom()) await deps.sleep(ROOM_POLL_MS)
      const run = await runJob('claim_failed', CLAIM_LIMIT_MS, () => consume(runDeps, hints))
      if (!run) return
      underWay.add(run)
      context.waitUntil(
        run
          .finish()
          .catch((error) => logFailure('run_failed', error))
          .finally(() => underWay.delete(run)),
      )
    },

    scheduled: (_controller: ScheduledController, env: DeliveryEnv) => sweepIn(env),
  }

  function hasRoom(): boolean {
    let held = 0
    for (const run of underWay) {
      if (run.startedAt <= deps.now() - RUN_MS) underWay.delete(run)
      else held += run.held
    }
    return held < MAX_HELD
  }

  function sweepIn(env: DeliveryEnv): Promise<void> {
    return runJob('sweep_failed', SWEEP_LIMIT_MS, async () =>
      sweep({
        ...deps,
        ...readConfig(env),
        db: env.DB,
        queue: env.DELIVERIES,
        sendMail: mailer(env),
        sweepAgain: () => askForSweep(env.DELIVERIES),
      }),
    )
  }
}

/** Null without e-mail or with a malformed sender. The sweep then sends no e-mails. */
function mailer(env: DeliveryEnv): SendMail | null {
  const { EMAIL } = env
  const from = orAbsent(() => setting(env, 'MAIL_FROM'))
  return EMAIL && from ? mailThrough(EMAIL, from) : null
}
