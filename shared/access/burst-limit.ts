import type { Instant } from '../argentine-time.ts'
import { createBurstCounter } from './burst-counter.ts'
import { clientKey } from './client-key.ts'
import { platformRefuses } from './platform-limit.ts'

/** The client, the time, and the context for work after the response. */
export interface LimitedRequest {
  /** Undefined and invalid addresses share one limit. */
  address: string | undefined
  now: Instant
  context: Pick<ExecutionContext, 'waitUntil'>
}

export interface BurstLimit {
  /** Requests of a client in any window. */
  limit: number
  /** The platform's limiter, which the isolates of a location share. */
  platform: RateLimit
  /**
   * The key for the platform's limiter. `place` goes round from 1 to the limit with the client's
   * requests.
   */
  keyOf: (client: string, place: number) => string
}

export type Admission = { allowed: true } | { allowed: false; retryAfterSeconds: number }

/**
 * A limit per client address: an exact counter in this isolate, and the platform's limiter, which
 * is called without delaying the response. When the platform refuses, the client is blocked from
 * its next request on (decision 53: two counters of dates). Every call counts, also one that is
 * refused later.
 */
export function createBurstLimit(windowMs?: number) {
  const counter = createBurstCounter(windowMs)

  return (
    { limit, platform, keyOf }: BurstLimit,
    { address, now, context }: LimitedRequest,
  ): Admission => {
    const client = clientKey(address)
    const count = counter.count(client, limit, now)
    if (!count.allowed) {
      const retryAfterSeconds = Math.max(1, Math.ceil((count.blockedUntil - now) / 1000))
      return { allowed: false, retryAfterSeconds }
    }
    context.waitUntil(
      platformRefuses(platform, keyOf(client, count.place)).then((refuses) => {
        if (refuses) counter.block(client, now)
      }),
    )
    return { allowed: true }
  }
}
