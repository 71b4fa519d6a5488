import { type Day, dayEnd, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { Mode } from '../../../shared/board/board.ts'
import { type CachedResponse, cachedResponse, modeHeader } from './cached-response.ts'

/** Seconds that caches may keep a closed day, and today or now (decision 8: how reads are cached). */
export const CLOSED_DAY_MAX_AGE = 86_400
export const TODAY_MAX_AGE = 60

/** A cycle that began before midnight may write into the day that ended for so long. */
const SETTLED_MS = 3 * MINUTE_MS

/** Seconds that caches may keep the values of a day: a minute while a cycle may still change it. */
export function maxAgeOfDay(day: Day, now: Instant): number {
  return now > dayEnd(day) + SETTLED_MS ? CLOSED_DAY_MAX_AGE : TODAY_MAX_AGE
}

/** What a response is made of. */
export interface Printed {
  body: string
  contentType: string
  /** The request headers that choose the form, for `Vary`. */
  vary?: string
}

/** A public response that caches may keep. */
export type Cacheable = Printed & { maxAgeSeconds: number }

export function cachedOf(answer: Cacheable, mode: Mode): CachedResponse {
  const { body, contentType, vary, maxAgeSeconds } = answer
  return cachedResponse(body, contentType, {
    'Cache-Control': `public, max-age=${maxAgeSeconds}`,
    ...(vary && { Vary: vary }),
    ...modeHeader(mode),
  })
}
