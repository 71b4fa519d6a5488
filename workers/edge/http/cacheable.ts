import { type Day, dayEnd, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { Mode } from '../../../shared/board/board.ts'
import { type CachedResponse, cachedResponse, modeHeader, respond } from './cached-response.ts'

/** Seconds that caches may keep a closed day, and today or now (decision 8: how reads are cached). */
export const CLOSED_DAY_MAX_AGE = 86_400
export const TODAY_MAX_AGE = 60

/** A cycle that began before midnight may write into the day that ended for so long. */
const SETTLED_MS = 3 * MINUTE_MS

/** Seconds that caches may keep the values of a day: a minute while a cycle may still change it. */
export function maxAgeOfDay(day: Day, now: Instant): number {
  return now > dayEnd(day) + SETTLED_MS ? CLOSED_DAY_MAX_AGE : TODAY_MAX_AGE
}

/**
 * Caches may keep it but must revalidate it each time, so that they never mix files of two nights.
 */
export const VALIDATED = 'public, no-cache'

/** What a response is made of. */
export interface Printed {
  body: string
  contentType: string
  /** The request headers that choose the form, for `Vary`. */
  vary?: string
}

/** A public response that caches may keep. */
export type Cacheable = Printed & ({ maxAgeSeconds: number } | { cacheControl: string })

export function cachedOf(answer: Cacheable, mode: Mode): CachedResponse {
  const { body, contentType, vary } = answer
  const cacheControl =
    'cacheControl' in answer ? answer.cacheControl : `public, max-age=${answer.maxAgeSeconds}`
  return cachedResponse(body, contentType, {
    'Cache-Control': cacheControl,
    ...(vary && { Vary: vary }),
    ...modeHeader(mode),
  })
}

/** The response with its strong ETag, or 304 when the client has it. */
export function respondCacheable(request: Request, answer: Cacheable, mode: Mode): Response {
  return respond(request, cachedOf(answer, mode))
}
