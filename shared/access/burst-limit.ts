import { type Instant, SECOND_MS } from '../argentine-time.ts'
import { logFailure } from '../log.ts'
import { RecentlyUsed } from '../bounded-memory.ts'
import { setting, type Variables } from '../config/config.ts'
import { type ClientAddressEnv, clientOf } from './client.ts'

export interface BurstLimit<Env> {
  /** The requests that a client may send in any window. */
  limitOf: (env: Env) => number
  /** The platform's limiter, which the isolates of a location share. */
  platformOf: (env: Env) => RateLimit
  /** Separates the keys of limits that share one platform limiter. */
  prefix?: string
  windowMs?: number
  /** A client's requests for one key of the platform's limiter, which allows twice as many. */
  shard?: number
}

interface Client {
  /** The client's requests in the window that ends now, oldest first. */
  instants: Instant[]
  /** The client's requests since it was first remembered. */
  requests: number
  blockedUntil: Instant
}

/** The maximum weight of all remembered clients, in instants: about 8 MB. */
const MOST_REMEMBERED = 400_000
/** The weight of a client without its instants. */
const CLIENT_WEIGHT = 20

/**
 * A limit per client address in any window of ten seconds (by default): an exact counter in this
 * isolate, and the platform's limiter, whose answer the response does not wait for. A request past
 * the limit blocks its client for one window. A refusal by the platform blocks the client from the
 * next request on. Refused requests do not prolong a block (decisions 11 and 53: how date reads are
 * limited). Every call counts, even if the request is refused later. Returns the seconds that the
 * client has to wait; null when the request is admitted.
 */
export function createBurstLimit<Env extends ClientAddressEnv>({
  limitOf,
  platformOf,
  prefix = '',
  windowMs = 10 * SECOND_MS,
  shard = 20,
}: BurstLimit<Env>) {
  const clients = new RecentlyUsed<Client>(
    MOST_REMEMBERED,
    ({ instants }) => CLIENT_WEIGHT + instants.length,
  )
  const block = (client: string, blockedUntil: Instant) =>
    clients.set(client, { instants: [], requests: 0, blockedUntil })

  return (
    { headers }: Pick<Request, 'headers'>,
    env: Env,
    now: Instant,
    context: Pick<ExecutionContext, 'waitUntil'>,
  ): number | null => {
    const client = clientOf(headers, env)
    const limit = limitOf(env)
    const known = clients.get(client) ?? { instants: [], requests: 0, blockedUntil: 0 }
    const { instants, requests, blockedUntil } = known
    if (now < blockedUntil) return Math.ceil((blockedUntil - now) / SECOND_MS)
    // One `splice`, because with a very high limit a copy or a loop would take noticeable time.
    const first = instants.findIndex((at) => at > now - windowMs)
    instants.splice(0, first === -1 ? instants.length : first)
    if (instants.length >= limit) {
      block(client, now + windowMs)
      return windowMs / SECOND_MS
    }
    instants.push(now)
    clients.set(client, { instants, requests: requests + 1, blockedUntil: 0 })
    // Spreads the requests evenly over the keys of the platform's limiter, in any window.
    const key = `${prefix}${client}#${Math.floor((requests % limit) / shard)}`
    context.waitUntil(
      platformRefuses(platformOf(env), key).then(
        (refuses) => refuses && block(client, now + windowMs),
      ),
    )
    return null
  }
}

/**
 * Whether the platform's limiter refuses this key. If the limiter fails, the key is admitted: the
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

export interface DateReadLimitEnv extends Pick<
  Variables,
  'DATE_READ_LIMIT' | 'MCP_REQUEST_LIMIT' | 'CLIENT_ADDRESS_HEADER'
> {
  DATE_READS: RateLimit
}

/** The limit of date reads (API, pages, tools), or another limit on the same platform limiter. */
export const createDateReadLimit = (
  prefix = '',
  variable: 'DATE_READ_LIMIT' | 'MCP_REQUEST_LIMIT' = 'DATE_READ_LIMIT',
) =>
  createBurstLimit<DateReadLimitEnv>({
    limitOf: (env) => setting(env, variable),
    platformOf: ({ DATE_READS }) => DATE_READS,
    prefix,
  })
