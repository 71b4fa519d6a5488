import type { Instant } from '../argentine-time.ts'

const WINDOW_MS = 10_000

/** The most clients remembered at once: about 4 MB. */
export const MAX_CLIENTS = 20_000

/** The number of a request in its burst, or the instant until which its client is blocked. */
export type Count = { allowed: true; number: number } | { allowed: false; blockedUntil: Instant }

/**
 * Counts requests per client in windows (ten seconds by default) that begin with the first request
 * of a burst. A request past the limit blocks its client for one window. Refused requests do not
 * prolong the block (decisions 11 and 53: how date reads are limited).
 *
 * Every entry ends one window after it was added, so the map is ordered by end. Entries at its
 * front are dropped when they have ended or when there are too many.
 */
export function createBurstCounter(windowMs = WINDOW_MS) {
  const entries = new Map<string, { ends: Instant; count: number; blocked: boolean }>()

  function put(client: string, ends: Instant, count: number, blocked: boolean, now: Instant) {
    entries.delete(client)
    for (const [oldest, { ends }] of entries) {
      if (now < ends && entries.size < MAX_CLIENTS) break
      entries.delete(oldest)
    }
    entries.set(client, { ends, count, blocked })
  }

  return {
    count(client: string, limit: number, now: Instant): Count {
      const entry = entries.get(client)
      const running = entry && now < entry.ends ? entry : undefined
      if (running?.blocked) return { allowed: false, blockedUntil: running.ends }

      const number = (running?.count ?? 0) + 1
      if (number > limit) return this.block(client, now)

      if (running) running.count = number
      else put(client, now + windowMs, number, false, now)
      return { allowed: true, number }
    },

    block(client: string, now: Instant): Count {
      const blockedUntil = now + windowMs
      put(client, blockedUntil, 0, true, now)
      return { allowed: false, blockedUntil }
    },

    get size() {
      return entries.size
    },
  }
}
