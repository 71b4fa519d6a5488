import { type Instant, SECOND_MS } from '../argentine-time.ts'
import { logFailure } from '../log.ts'
import { RecentlyUsed } from '../bounded-memory.ts'
import { setting, type Variables } from '../config/config.ts'

/** The client, the time, and the context for work after the response. */
export interface LimitedRequest {
  client: string
  now: Instant
  context: Pick<ExecutionContext, 'waitUntil'>
}

export interface BurstLimit {
  /** Requests of a client in any window. */
  limit: number
  /** The platform's limiter, which the isolates of a location share. */
  platform: RateLimit
  /**
   * The key for the platform's limiter. `position` counts the client's requests from 1 to the limit
   * and begins again, so that each position is equally frequent in any window.
   */
  keyOf: (client: string, position: number) => string
}

export type Admission = { allowed: true } | { allowed: false; retryAfterSeconds: number }

interface Client {
  /** The client's requests in the window that ends now, oldest first. */
  instants: Instant[]
  /** The client's requests since it was first remembered. */
  requests: number
  blockedUntil: Instant
}

/** The weight of all that is remembered, in instants: about 8 MB. */
const MOST_REMEMBERED = 400_000
/** The weight of a client besides its instants. */
const CLIENT_WEIGHT = 20

/**
 * A limit per client address in any window of ten seconds, or another: an exact counter in this
 * isolate, and the platform's limiter, which is called without delaying the response. A request
 * past the limit blocks its client for one window, and so does a refusal of the platform from the
 * next request on; refused requests do not prolong a block (decisions 11 and 53: how date reads are
 * limited). Every call counts, even if the request is refused later.
 */
export function createBurstLimit(windowMs = 10 * SECOND_MS) {
  const clients = new RecentlyUsed<Client>(
    MOST_REMEMBERED,
    ({ instants }) => CLIENT_WEIGHT + instants.length,
  )
  const block = (key: string, blockedUntil: Instant) =>
    clients.set(key, { instants: [], requests: 0, blockedUntil })

  return (
    { limit, platform, keyOf }: BurstLimit,
    { client, now, context }: LimitedRequest,
  ): Admission => {
    const known = clients.get(client) ?? { instants: [], requests: 0, blockedUntil: 0 }
    const { instants, requests, blockedUntil } = known
    if (now < blockedUntil) return refusal(blockedUntil, now)
    // Removed in one call, without a copy: with a very high limit either takes noticeable time.
    const first = instants.findIndex((at) => at > now - windowMs)
    instants.splice(0, first === -1 ? instants.length : first)
    if (instants.length >= limit) {
      block(client, now + windowMs)
      return refusal(now + windowMs, now)
    }
    instants.push(now)
    clients.set(client, { instants, requests: requests + 1, blockedUntil: 0 })
    const key = keyOf(client, (requests % limit) + 1)
    context.waitUntil(
      platformRefuses(platform, key).then((refuses) => refuses && block(client, now + windowMs)),
    )
    return { allowed: true }
  }
}

function refusal(blockedUntil: Instant, now: Instant): Admission {
  return { allowed: false, retryAfterSeconds: Math.ceil((blockedUntil - now) / SECOND_MS) }
}

/**
 * Whether the platform's limiter refuses this key. If the limiter fails, nothing is refused: the
 * isolate's own counter still works.
 */
export async function platformRefuses(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return !(await limiter.limit({ key })).success
  } catch (error) {
    logFailure('rate_limit_failed', error)
    return false
  }
}

/** Requests of a window on one key of the platform's limiter, which allows twice as many. */
const SHARD = 20

export interface DateReadLimitEnv extends Pick<
  Variables,
  'DATE_READ_LIMIT' | 'MCP_REQUEST_LIMIT' | 'CLIENT_ADDRESS_HEADER'
> {
  DATE_READS: RateLimit
}

/**
 * The limit of date reads per client address, for the API, the pages and the tools. Other limits of
 * this kind use another `prefix` and variable.
 */
export function createDateReadLimit(
  prefix = '',
  variable: 'DATE_READ_LIMIT' | 'MCP_REQUEST_LIMIT' = 'DATE_READ_LIMIT',
) {
  const admit = createBurstLimit()
  // A configured limit above the platform's spreads over several of its keys.
  const keyOf = (client: string, position: number) =>
    `${prefix}${client}#${Math.floor((position - 1) / SHARD)}`

  return (env: DateReadLimitEnv, request: LimitedRequest): Admission =>
    admit({ limit: setting(env, variable), platform: env.DATE_READS, keyOf }, request)
}
