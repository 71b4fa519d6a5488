import { type Instant, MINUTE_MS } from '../argentine-time.ts'
import { setting, type Variables } from '../config/config.ts'
import { RecentlyUsed } from '../bounded-memory.ts'
import { type Result, ok, refuse } from '../result.ts'
import { platformRefuses } from './burst-limit.ts'

/** At most this many addresses, and as many valid keys, are remembered: a bound of the memory. */
const MAX_REMEMBERED = 10_000

/** Failures per minute that share a key of the platform's limiter, which allows twice that. */
const SHARD = 30

export interface UnknownKeyEnv extends Pick<Variables, 'UNKNOWN_KEY_LIMIT'> {
  UNKNOWN_KEYS: RateLimit
}

/** The hash of the key in a request, and the client that sent it. */
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
 * Limits look-ups of keys that this isolate has not yet found valid (decision 61: keys that nobody
 * has). The minute of an address begins with its first look-up that finds no key. Past the limit,
 * look-ups are refused for the rest of the minute; look-ups in flight finish. Only a look-up that
 * found no key calls the platform's limiter: a valid key costs no call, and another isolate learns
 * of an attacker at the first failure there.
 */
export function createUnknownKeyLimit() {
  const minutes = new RecentlyUsed<Minute>(MAX_REMEMBERED, () => 1)
  /** The hashes of the valid keys that were used most recently. */
  const good = new RecentlyUsed<true>(MAX_REMEMBERED, () => 1)

  function minuteOf(client: string, now: Instant): Minute | undefined {
    const minute = minutes.get(client)
    return minute && now < minute.ends ? minute : undefined
  }

  /** The result of `find`, null for an unknown key. Refused: the end of the client's minute. */
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
