/** Limits of reads per client address. Every request counts: HEAD and refused ones too. */
import type { MiddlewareHandler } from 'hono'
import { createBurstLimit, createDateReadLimit } from '../../../shared/access/burst-limit.ts'
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { CORS_HEADERS } from '../../../shared/cors.ts'
import { DAYS_A_MINUTE } from '../../../shared/limits.ts'
import { TOO_MANY_DATES, TOO_MANY_DAYS } from '../../../shared/sentences.ts'
import type { LimitRead, Deps, EdgeContext } from '../context.ts'

/** The limit of date reads. */
export function limitDateReads({ now }: Pick<Deps, 'now'>): LimitRead {
  const limit = createDateReadLimit()
  return (request, env, context) => tooMany(TOO_MANY_DATES, limit(request, env, now(), context))
}

/**
 * One limit for reads of a day at the addresses of other services' APIs. Programs written for them
 * read sixty days without a pause and treat a refusal as a missing day: the limit is far above.
 */
export function limitCompatibilityDays({ now }: Pick<Deps, 'now'>): LimitRead {
  const limit = createBurstLimit<Parameters<LimitRead>[1]>({
    limitOf: () => DAYS_A_MINUTE,
    platformOf: ({ COMPATIBILITY_DAYS }) => COMPATIBILITY_DAYS,
    windowMs: MINUTE_MS,
    shard: DAYS_A_MINUTE,
  })
  return (request, env, context) => tooMany(TOO_MANY_DAYS, limit(request, env, now(), context))
}

/** The limit as a middleware. Answers repeated from memory count towards the same limit. */
export function limitedBy(limitRead: LimitRead): MiddlewareHandler<EdgeContext> {
  return async function limited(c, next) {
    c.set('limitRead', limitRead)
    return limitRead(c.req.raw, c.env, c.executionCtx) ?? next()
  }
}

/** A 429 in plain text; null for a client that need not wait. */
function tooMany(text: string, seconds: number | null): Response | null {
  if (seconds === null) return null
  return new Response(text, {
    status: 429,
    headers: {
      ...CORS_HEADERS,
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'Retry-After': String(seconds),
    },
  })
}
