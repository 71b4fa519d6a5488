import type { Context } from 'hono'
import type { AppDeps, EdgeContext } from '../context.ts'
import { type Cacheable, cachedOf, CLOSED_DAY_MAX_AGE } from '../http/cacheable.ts'
import { respond } from '../http/cached-response.ts'
import { responseKey } from './past-again.ts'

/**
 * A response about the past. A final one is kept and repeated before Hono until the revision of the
 * past changes. `revision` is null when it is not known.
 */
export function respondPast(
  c: Context<EdgeContext>,
  { responses }: Pick<AppDeps, 'responses'>,
  answer: Cacheable & { maxAgeSeconds: number },
  revision: number | null,
): Response {
  const response = cachedOf(answer)
  if (revision !== null && answer.maxAgeSeconds === CLOSED_DAY_MAX_AGE) {
    responses.keep(responseKey(c.req.raw), { ...response, revision })
  }
  return respond(c.req.raw, response)
}
