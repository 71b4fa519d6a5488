import type { Instant } from '../argentine-time.ts'
import { createBurstCounter } from './burst-counter.ts'
import { clientKey } from './client-key.ts'
import { parseDateReadLimit } from '../config.ts'
import { platformRefuses } from './platform-limit.ts'

/** What one key of the platform's limiter stands for: requests of a burst, as in wrangler.toml. */
const SHARD = 20

export interface DateReadLimitEnv {
  /** Date reads per client in ten seconds: a whole number. */
  DATE_READ_LIMIT: string
  DATE_READS: RateLimit
}

export type DateReadAdmission = { allowed: true } | { allowed: false; retryAfterSeconds: number }

/**
 * The limit of date reads per client address, for every door that leads to them: an exact counter
 * in this isolate, and behind it the platform's limiter, which isolates of one location share
 * (decision 53). Each call counts as a read, also one that will be refused for what it asks.
 * What else is limited in this way has a `prefix` in the platform's limiter and its own variable.
 */
export function createDateReadLimit(prefix = '', parseLimit = parseDateReadLimit) {
  const counter = createBurstCounter()

  return async (
    { DATE_READ_LIMIT, DATE_READS }: DateReadLimitEnv,
    address: string | null | undefined,
    now: Instant,
  ): Promise<DateReadAdmission> => {
    const client = clientKey(address)
    const count = counter.count(client, parseLimit(DATE_READ_LIMIT), now)
    if (!count.allowed) return blocked(count.blockedUntil, now)

    // A configured limit above the platform's spreads over several of its keys.
    const shard = `${prefix}${client}#${Math.floor((count.number - 1) / SHARD)}`
    if (await platformRefuses(DATE_READS, shard)) {
      const block = counter.block(client, now)
      if (!block.allowed) return blocked(block.blockedUntil, now)
    }
    return { allowed: true }
  }
}

function blocked(until: Instant, now: Instant): DateReadAdmission {
  return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil((until - now) / 1000)) }
}
