import type { Instant } from '../../shared/argentine-time.ts'
import type { DeliveryMessage } from '../../shared/webhooks/delivery.ts'
import { ok } from '../../shared/result.ts'
import { consume } from '../../workers/delivery/consume/consume.ts'
import type { RunDeps } from '../../workers/delivery/consume/run.ts'
import { sweep, type SweepDeps } from '../../workers/delivery/sweep/sweep.ts'
import type { DeliveryRequest } from '../../workers/delivery/attempt/egress.ts'
import { env } from './env.ts'
import { NOW, keyring } from './webhooks.ts'

/** What a receiver sees of an attempt. */
export interface Post {
  deliveryId: string
  subscriptionId: string
  host: string
  at: Instant
  headers: Readonly<Record<string, string>>
  body: string
}

/** The receiver's answer: a status code, or a transport error. */
export type Answers = (post: Post, request: DeliveryRequest) => number | Promise<number>

/** Never answers. When aborted, rejects with a copy of the reason, like the runtime. */
export const hang = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error(String(signal.reason)))),
  )

/**
 * The delivery engine on the real database, with an outside that the test chooses: a clock that
 * moves only when told, a queue that keeps its messages, receivers with given answers.
 */
export function createFixture(
  answers: Answers = () => 204,
  change: Partial<RunDeps & SweepDeps> = {},
) {
  const posts: Post[] = []
  const messages: { deliveryId: number; at: Instant }[] = []
  let clock = NOW
  let tokens = 0
  let sweepsWanted = 0

  const deps = {
    db: env.DB,
    now: () => clock,
    random: () => 0.5,
    waits: [30, 300, 1800] as const,
    keyring,
    systemUrl: 'https://system.example.com/hook',
    ownHosts: [],
    publicOrigin: 'https://cotiza.example',
    // Ends at once, but lets other work run first.
    sleep: () => new Promise<void>((resolve) => setTimeout(resolve, 0)),
    newToken: () => `token ${++tokens} ${crypto.randomUUID()}`,
    isAdmissionOpen: true,
    capacity: 1000,
    sendMail: null,
    sweepAgain: async () => void (sweepsWanted += 1),
    resolve: async () => ok(['93.184.216.34']),
    async egress(request: DeliveryRequest) {
      const post = {
        deliveryId: request.headers['X-Service-Delivery-Id']!,
        subscriptionId: request.headers['X-Service-Webhook-Id']!,
        host: request.url.hostname,
        at: clock,
        headers: request.headers,
        body: request.body,
      }
      posts.push(post)
      return { code: await answers(post, request), retryAfter: null }
    },
    queue: {
      async sendBatch(batch: Iterable<MessageSendRequest<DeliveryMessage>>) {
        for (const { body, delaySeconds = 0 } of batch)
          messages.push({ deliveryId: body.deliveryId, at: clock + delaySeconds * 1000 })
        return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
      },
    },
    ...change,
  } satisfies Partial<Record<string, unknown>>

  const fixture = {
    deps,
    posts,
    messages,
    at: () => clock,
    set: (instant: Instant) => void (clock = instant),

    /** Gives hints to the consumer as one batch, and waits until they are sent. */
    async consume(...bodies: unknown[]) {
      const batch = bodies.map((body) => message(body))
      const run = await consume(deps, batch)
      await run?.finish()
      return batch
    },

    hint: (...ids: number[]) => fixture.consume(...ids.map((deliveryId) => ({ v: 1, deliveryId }))),

    /** Consumes the messages that are due, and the messages that follow, in batches of five. */
    async drain(): Promise<void> {
      while (true) {
        const due = messages.filter(({ at }) => at <= clock).slice(0, 5)
        if (due.length === 0) return
        for (const one of due) messages.splice(messages.indexOf(one), 1)
        await fixture.hint(...due.map(({ deliveryId }) => deliveryId))
      }
    },

    /** Moves the clock to the next message, if there is one. */
    toNextMessage(): boolean {
      const next = Math.min(...messages.map(({ at }) => at))
      if (!Number.isFinite(next)) return false
      clock = Math.max(clock, next)
      return true
    },

    /** Consumes messages until there are none, each when it is due. */
    async drainAll(): Promise<void> {
      while (fixture.toNextMessage()) await fixture.drain()
    },

    /** Runs a sweep, and the sweeps that it requests. */
    async sweep(): Promise<void> {
      sweepsWanted = 1
      for (; sweepsWanted > 0; sweepsWanted -= 1) await sweep(deps)
    },
  }
  return fixture
}

export function message(body: unknown, attempts = 1) {
  return {
    body,
    attempts,
    retried: undefined as QueueRetryOptions | undefined,
    retry(options?: QueueRetryOptions) {
      this.retried = options ?? {}
    },
  }
}
