import type { Instant } from '../argentine-time.ts'

const WINDOW_MS = 10_000

/** The most clients remembered at once, about 4 MB, however many addresses come. */
export const MAX_CLIENTS = 20_000

/** The number of a request in its burst, or until when its client is blocked. */
export type Count = { allowed: true; number: number } | { allowed: false; blockedUntil: Instant }

/**
 * Counts requests per client in windows, of ten seconds when nothing else is said, that begin with
 * a burst's first request. The request past the limit blocks its client for as long as a window is;
 * refused requests do not prolong that (decisions 11 and 53: how date reads are limited).
 *
 * Every entry ends a window after it was added, so the map is in order of ending. Entries at the
 * front are dropped when they have ended, or when there are too many.
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
