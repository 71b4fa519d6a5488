import { type Instant, MINUTE_MS } from '../argentine-time.ts'
import { setting, type Variables } from '../config/config.ts'
import { RecentlyUsed } from '../bounded-memory.ts'
import { type Result, ok, refuse } from '../result.ts'
import { platformRefuses } from './burst-limit.ts'

/** The most addresses and good keys remembered at once, which bounds the memory. */
const MAX_REMEMBERED = 10_000

/** Failures of a minute on one key of the platform's limiter, which allows twice as many. */
const SHARD = 30

export interface UnknownKeyEnv extends Pick<Variables, 'UNKNOWN_KEY_LIMIT'> {
  UNKNOWN_KEYS: RateLimit
}

/** A presented key, by its hash, and the client that presents it. */
interface Presented {
  client: string
  hash: string
  now: Instant
}

interface Minute {
  ends: Instant
  failures: number
  isShut: boolean
}

/**
 * Limits look-ups of keys that this isolate has not yet found to be good (decision 61: keys that
 * nobody has). An address's minute begins with its first look-up that finds no key. Past the limit,
 * look-ups are refused for the rest of the minute; those in flight finish. The platform's limiter
 * is asked only after a look-up that found no key: a good key costs no call, and other isolates
 * learn of an attacker with their first failure.
 */
export function createUnknownKeyLimit() {
  const minutes = new RecentlyUsed<Minute>(MAX_REMEMBERED, () => 1)
  /** The hashes of the good keys that were used most recently. */
  const good = new RecentlyUsed<true>(MAX_REMEMBERED, () => 1)

  function minuteOf(client: string, now: Instant): Minute | undefined {
    const minute = minutes.get(client)
    return minute && now < minute.ends ? minute : undefined
  }

  /** The result of `find`, null for an unknown key; or when the refusal of the client ends. */
  async function lookUp<Found>(
    env: UnknownKeyEnv,
    { client, hash, now }: Presented,
    find: () => Promise<Found | null>,
  ): Promise<Result<Found | null, Instant>> {
    const limit = setting(env, 'UNKNOWN_KEY_LIMIT')
    const running = minuteOf(client, now)
    if (running?.isShut && !good.get(hash)) return refuse(running.ends)

    const key = await find()
    if (key !== null) {
      good.set(hash, true)
      return ok(key)
    }
    good.delete(hash)
    const minute = minuteOf(client, now) ?? { ends: now + MINUTE_MS, failures: 0, isShut: false }
    minutes.set(client, minute)
    const shard = `${client}#${Math.floor(minute.failures++ / SHARD)}`
    if (minute.failures >= limit) minute.isShut = true
    if (await platformRefuses(env.UNKNOWN_KEYS, shard)) minute.isShut = true
    return ok(null)
  }

  return { lookUp }
}

export type UnknownKeyLimit = ReturnType<typeof createUnknownKeyLimit>
