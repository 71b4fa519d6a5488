import type { Instant } from '../argentine-time.ts'
import { createBurstCounter } from './burst-counter.ts'
import { clientKey } from './client-key.ts'
import { parseDateReadLimit } from '../config/config.ts'
import { platformRefuses } from './platform-limit.ts'

/** Requests of a burst that one key of the platform's limiter allows, as in wrangler.toml. */
const SHARD = 20

export interface DateReadLimitEnv {
  /** Date reads per client in ten seconds: a whole number. */
  DATE_READ_LIMIT: string
  DATE_READS: RateLimit
}

export type DateReadAdmission = { allowed: true } | { allowed: false; retryAfterSeconds: number }

/**
 * The limit of date reads per client address, wherever they come in: an exact counter in this isolate
 * and then the platform's limiter, which the isolates of a location share (decision 53). Every call
 * counts, also one that is refused later. Other limits of this kind use another `prefix` and variable.
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
