import type { Day, Instant } from '../../../shared/argentine-time.ts'
import { isSettled } from '../../../shared/board/closed-day.ts'
import { type CachedResponse, cachedResponse, respond } from './cached-response.ts'

/**
 * What a closed day and today may be kept by caches, in seconds (decision 8: how reads are cached).
 */
export const CLOSED_DAY_MAX_AGE = 86_400
export const TODAY_MAX_AGE = 60

/** How long what was in effect on a day may be kept: a minute while the day may still change. */
export function maxAgeOfDay(day: Day, now: Instant): number {
  return isSettled(day, now) ? CLOSED_DAY_MAX_AGE : TODAY_MAX_AGE
}

/**
 * Kept, and asked for with its tag each time: of files that belong together no cache may keep one of
 * last night and another of tonight.
 */
export const VALIDATED = 'public, no-cache'

/** A public answer that may be kept by caches. */
export type Cacheable = {
  body: string
  contentType: string
  /** Request headers that choose between forms of the answer, as `Vary` lists them. */
  vary?: string
} & ({ maxAgeSeconds: number } | { cacheControl: string })

export function cachedOf(answer: Cacheable): CachedResponse {
  const { body, contentType, vary } = answer
  const cacheControl =
    'cacheControl' in answer ? answer.cacheControl : `public, max-age=${answer.maxAgeSeconds}`
  return cachedResponse(body, contentType, {
    'Cache-Control': cacheControl,
    ...(vary && { Vary: vary }),
  })
}

/** The answer with its strong tag, or 304 without a body when the client already holds it. */
export function respondCacheable(request: Request, answer: Cacheable): Response {
  return respond(request, cachedOf(answer))
}
