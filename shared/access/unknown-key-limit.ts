import { type Instant, MINUTE_MS } from '../argentine-time.ts'
import { parseUnknownKeyLimit } from '../config/config.ts'
import { RecentlyUsed } from '../recently-used.ts'
import { ok, refuse, type Result } from '../result.ts'
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

/** A presented key, by its hash, and the client that presents it. */
interface Presented {
  client: string
  hash: string
  now: Instant
}

/** Ends a look-up; or the instant until which the client may not begin one. */
type Place = Result<() => void, Instant>

interface Minute {
  ends: Instant
  failures: number
  shut: boolean
  /** Look-ups that have a place and have not ended. */
  underWay: number
  waiting: (() => void)[]
}

/**
 * Limits look-ups of keys that this isolate has not yet found to be good (decision 61: keys that
 * nobody has). An address's minute begins with its first look-up that finds no key. A look-up takes
 * a place before it begins and returns it when it finds the key. Past the limit, look-ups are refused
 * for the rest of the minute. A request that finds all places taken waits until a look-up ends, so
 * that forty requests at once with a good key are not refused. The platform's limiter is called only
 * after a look-up that found no key: a good key costs no call, and other isolates learn of an
 * attacker with their first failure.
 */
export function createUnknownKeyLimit() {
  const minutes = createMinutes()
  /** The hashes of the good keys that were used last. */
  const good = new RecentlyUsed<true>(MAX_REMEMBERED, () => 1)

  /** Waits for a place; a good key needs none. */
  async function take({ client, hash, now }: Presented, limit: number): Promise<Place> {
    for (;;) {
      if (good.get(hash)) return ok(() => {})
      const minute = minutes.of(client, now)
      if (minute.shut) return refuse(minute.ends)
      if (minute.underWay === 0 || minute.underWay + minute.failures < limit) {
        minute.underWay++
        return ok(() => minutes.endLookUp(client, minute))
      }
      await new Promise<void>((resolve) => minute.waiting.push(resolve))
    }
  }

  async function notFound(env: UnknownKeyEnv, presented: Presented, limit: number): Promise<void> {
    const { client, hash, now } = presented
    good.delete(hash)
    const minute = minutes.of(client, now)
    if (minute.failures === 0) minutes.begin(client, minute, now)
    minute.failures++
    if (minute.failures >= limit) minute.shut = true

    const shard = `${client}#${Math.floor((minute.failures - 1) / SHARD)}`
    if (await platformRefuses(env.UNKNOWN_KEYS, shard)) minute.shut = true
  }

  /**
   * The result of `find`, null for a key that nobody has; or the instant until which the client is
   * refused. A `find` that throws returns its place.
   */
  async function lookUp<Found>(
    env: UnknownKeyEnv,
    presented: Presented,
    find: () => Promise<Found | null>,
  ): Promise<Result<Found | null, Instant>> {
    const limit = parseUnknownKeyLimit(env.UNKNOWN_KEY_LIMIT)
    const place = await take(presented, limit)
    if (!place.ok) return place

    try {
      const key = await find()
      if (key === null) await notFound(env, presented, limit)
      else good.set(presented.hash, true)
      return ok(key)
    } finally {
      place.value()
    }
  }

  return { lookUp, size: () => ({ clients: minutes.size, good: good.weight }) }
}

export type UnknownKeyLimit = ReturnType<typeof createUnknownKeyLimit>

/** The minutes of addresses. One without a failure is dropped when its last look-up ends. */
function createMinutes() {
  /** In order of ending, for all last a minute. */
  const minutes = new Map<string, Minute>()

  return {
    of(client: string, now: Instant): Minute {
      const minute = minutes.get(client)
      if (minute && now < minute.ends) return minute

      const fresh = { failures: 0, shut: false, underWay: 0, waiting: [], ends: 0 }
      return this.begin(client, fresh, now)
    },

    begin(client: string, minute: Minute, now: Instant): Minute {
      minutes.delete(client)
      for (const [oldest, { ends }] of minutes) {
        if (now < ends && minutes.size < MAX_REMEMBERED) break
        minutes.delete(oldest)
      }
      minute.ends = now + MINUTE_MS
      minutes.set(client, minute)
      return minute
    },

    endLookUp(client: string, minute: Minute): void {
      minute.underWay--
      const isIdle = minute.underWay === 0 && minute.failures === 0
      if (isIdle && minutes.get(client) === minute) minutes.delete(client)
      for (const resolve of minute.waiting.splice(0)) resolve()
    },

    get size() {
      return minutes.size
    },
  }
}
