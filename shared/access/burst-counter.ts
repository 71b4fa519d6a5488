import type { Instant } from '../argentine-time.ts'

const WINDOW_MS = 10_000

/** The weight of all that is remembered, in instants: about 8 MB. */
export const MOST_REMEMBERED = 400_000
/** The weight of a client besides its instants. */
const CLIENT_WEIGHT = 20

/** The place of a request among its client's, or the instant until which the client is blocked. */
export type Count = { allowed: true; place: number } | { allowed: false; blockedUntil: Instant }

interface Client {
  /** Its requests of the window that ends now, oldest first. */
  instants: Instant[]
  /** Its requests since it was first remembered. */
  requests: number
  blockedUntil: Instant
  lastAt: Instant
}

/**
 * Allows a client so many requests in any window (of ten seconds by default). A request past the
 * limit blocks its client for one window. Refused requests do not prolong the block (decisions 11
 * and 53: how date reads are limited).
 *
 * Clients are in order of their last counted request. Those at the front are dropped when their
 * window is over or when there are too many.
 */
export function createBurstCounter(windowMs = WINDOW_MS) {
  const clients = new Map<string, Client>()
  let remembered = 0

  function forget(key: string, { instants }: Client) {
    clients.delete(key)
    remembered -= CLIENT_WEIGHT + instants.length
  }

  function put(key: string, client: Client, now: Instant) {
    for (const [oldest, each] of clients) {
      if (now < each.lastAt + windowMs && remembered < MOST_REMEMBERED) break
      forget(oldest, each)
    }
    clients.set(key, client)
    remembered += CLIENT_WEIGHT + client.instants.length
  }

  /** Takes the client out of the order, without the instants before its window. */
  function take(key: string, now: Instant): Client {
    const client = clients.get(key)
    if (!client) return { instants: [], requests: 0, blockedUntil: 0, lastAt: now }

    forget(key, client)
    const inWindow = client.instants.findIndex((at) => at > now - windowMs)
    client.instants.splice(0, inWindow === -1 ? client.instants.length : inWindow)
    return client
  }

  return {
    /** `place` goes round from 1 to the limit, so that places are equally many in any window. */
    count(key: string, limit: number, now: Instant): Count {
      const blockedUntil = clients.get(key)?.blockedUntil ?? 0
      if (now < blockedUntil) return { allowed: false, blockedUntil }

      const client = take(key, now)
      if (client.instants.length >= limit) return this.block(key, now)

      client.instants.push(now)
      client.lastAt = now
      put(key, client, now)
      return { allowed: true, place: (client.requests++ % limit) + 1 }
    },

    block(key: string, now: Instant): Count {
      const blockedUntil = now + windowMs
      take(key, now)
      put(key, { instants: [], requests: 0, blockedUntil, lastAt: now }, now)
      return { allowed: false, blockedUntil }
    },

    get weight() {
      return remembered
    },
  }
}
