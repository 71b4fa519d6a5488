import type { Context } from 'hono'
import type { Instant } from '../../shared/argentine-time.ts'
import type { AppDeps, CountRead, Deps, EdgeContext, EdgeEnv } from './context.ts'
import type { DateResponseCache } from './date-response-cache.ts'
import { type Cacheable, cachedOf, CLOSED_DAY_MAX_AGE } from './http/cacheable.ts'
import { respond } from './http/cached-response.ts'
import { modeOf } from './middleware/service-mode.ts'

/**
 * Repeats a kept answer, without Hono, and counts the request with `countRead`. Null for everything
 * else, whose own route counts it.
 */
export function createDateRepeats({ now }: Pick<Deps, 'now'>, cache: DateResponseCache) {
  return (
    request: Request,
    env: EdgeEnv,
    context: ExecutionContext,
    countRead: CountRead,
  ): Response | null => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null

    const response = cache.get(request, now())
    return response && (countRead(request, env, context) ?? respond(request, response))
  }
}

/** An answer about a day, which is kept when the day is over. `readAt` is before its read. */
export async function respondDated(
  c: Context<EdgeContext>,
  deps: AppDeps,
  answer: Cacheable & { maxAgeSeconds: number },
  readAt: Instant,
): Promise<Response> {
  const response = cachedOf(answer, await modeOf(c, deps))
  if (answer.maxAgeSeconds === CLOSED_DAY_MAX_AGE) {
    deps.dateResponses.keep(c.req.raw, { response, readAt })
  }
  return respond(c.req.raw, response)
}
