import { type Instant, MINUTE_MS } from '../../shared/argentine-time.ts'
import { RecentlyUsed } from '../../shared/recently-used.ts'
import { prefersCsv } from './http/accept.ts'
import type { CachedResponse } from './http/cached-response.ts'

/** How long an answer is repeated, so that a correction shows within a minute. */
const KEPT_MS = MINUTE_MS
/** About seven thousand answers about one pair. */
export const MOST_BYTES = 8_000_000
/** The size of an entry besides its body and its key, mostly two sets of headers. */
const ENTRY_BYTES = 800

interface Kept {
  response: CachedResponse
  /** An instant before the database was read. */
  readAt: Instant
}

/** Whole answers about days that are over, in the isolate's memory. */
export class DateResponseCache {
  readonly #kept = new RecentlyUsed<Kept>(
    MOST_BYTES,
    ({ response: { body } }, key) => body.length + key.length + ENTRY_BYTES,
  )

  get weight(): number {
    return this.#kept.weight
  }

  get(request: Request, now: Instant): CachedResponse | null {
    const kept = this.#kept.get(keyOf(request))
    return kept && Math.abs(now - kept.readAt) < KEPT_MS ? kept.response : null
  }

  keep(request: Request, kept: Kept): void {
    this.#kept.set(keyOf(request), kept)
  }
}

/** What selects an answer: the address, and CSV or JSON. */
function keyOf(request: Request): string {
  return prefersCsv(request.headers.get('Accept')) ? `${request.url} csv` : request.url
}
