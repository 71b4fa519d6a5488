import { type Instant, MINUTE_MS } from '../argentine-time.ts'
import { parseUnknownKeyLimit } from '../config.ts'
import { platformRefuses } from './platform-limit.ts'

/** The most addresses and good keys remembered at once, which bounds the memory. */
export const MAX_REMEMBERED = 10_000

/** Failures of a minute that one key of the platform's limiter allows, as in wrangler.toml. */
const SHARD = 30

export interface UnknownKeyEnv {
  /** Look-ups of one address that may find no key in a minute: a whole number. */
  UNKNOWN_KEY_LIMIT: string
  UNKNOWN_KEYS: RateLimit
}

/**
 * Limits look-ups of keys that this isolate has not yet found to be good (decision 61). An address's
 * minute begins with its first look-up that found nothing; past the limit, look-ups are refused for
 * the rest of it. The platform's limiter is asked only after a look-up that found nothing, so a good
 * key costs no call and other isolates learn with their first failure.
 */
export function createUnknownKeyLimit() {
  /** In order of ending, for all last a minute. */
  const minutes = new Map<string, { ends: Instant; failures: number; shut: boolean }>()
  const good = new Set<string>()

  /** One that ends much later than in a minute was begun by a clock that was ahead. */
  function running(client: string, now: Instant) {
    const minute = minutes.get(client)
    return minute && now < minute.ends && minute.ends <= now + 2 * MINUTE_MS ? minute : undefined
  }

  function minuteOf(client: string, now: Instant) {
    const minute = running(client, now)
    if (minute) return minute

    minutes.delete(client)
    for (const [oldest, { ends }] of minutes) {
      if (now < ends && minutes.size < MAX_REMEMBERED) break
      minutes.delete(oldest)
    }
    const fresh = { ends: now + MINUTE_MS, failures: 0, shut: false }
    minutes.set(client, fresh)
    return fresh
  }

  return {
    /** When an unknown key may be looked up again; null when it may be now. */
    shutUntil(client: string, hash: string, now: Instant): Instant | null {
      const minute = running(client, now)
      return minute?.shut && !good.has(hash) ? minute.ends : null
    },

    found(hash: string): void {
      good.delete(hash)
      for (const oldest of good) {
        if (good.size < MAX_REMEMBERED) break
        good.delete(oldest)
      }
      good.add(hash)
    },

    async notFound(env: UnknownKeyEnv, client: string, hash: string, now: Instant): Promise<void> {
      good.delete(hash)
      const minute = minuteOf(client, now)
      minute.failures++
      if (minute.failures >= parseUnknownKeyLimit(env.UNKNOWN_KEY_LIMIT)) minute.shut = true

      const shard = `${client}#${Math.floor((minute.failures - 1) / SHARD)}`
      if (await platformRefuses(env.UNKNOWN_KEYS, shard)) minute.shut = true
    },

    get size() {
      return { clients: minutes.size, good: good.size }
    },
  }
}

export type UnknownKeyLimit = ReturnType<typeof createUnknownKeyLimit>
