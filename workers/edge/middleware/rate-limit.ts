/** Limits of reads per client address. Every request counts: HEAD and refused ones too. */
import type { MiddlewareHandler } from 'hono'
import { createBurstLimit, createDateReadLimit } from '../../../shared/access/burst-limit.ts'
import { clientOf } from '../../../shared/access/client.ts'
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { CORS_HEADERS } from '../../../shared/cors.ts'
import { DAYS_A_MINUTE } from '../../../shared/limits.ts'
import { TOO_MANY_DATES, TOO_MANY_DAYS } from '../../../shared/sentences.ts'
import type { LimitRead, Deps, EdgeContext } from '../context.ts'

/** The limit of date reads. */
export function limitDateReads({ now }: Pick<Deps, 'now'>): LimitRead {
  const limit = createDateReadLimit()

  return (request, env, context) => {
    const client = clientOf(request.headers, env)
    const admission = limit(env, { client, now: now(), context })
    return admission.allowed ? null : tooMany(TOO_MANY_DATES, admission.retryAfterSeconds)
  }
}

const keyOf = (client: string) => client

/**
 * One limit for reads of a day at all compatibility addresses. Programs read sixty days without a
 * pause and skip the days that are refused, so the limit is far above sixty.
 */
export function limitCompatibilityDays({ now }: Pick<Deps, 'now'>): LimitRead {
  const limit = createBurstLimit(MINUTE_MS)

  return (request, env, context) => {
    const admission = limit(
      { limit: DAYS_A_MINUTE, platform: env.COMPATIBILITY_DAYS, keyOf },
      { client: clientOf(request.headers, env), now: now(), context },
    )
    return admission.allowed ? null : tooMany(TOO_MANY_DAYS, admission.retryAfterSeconds)
  }
}

/** The limit as a middleware. The answer memory counts repeated answers by the same limit. */
export function limitedBy(limitRead: LimitRead): MiddlewareHandler<EdgeContext> {
  return async function limited(c, next) {
    c.set('limitRead', limitRead)
    return limitRead(c.req.raw, c.env, c.executionCtx) ?? next()
  }
}

/** A 429 in plain text. */
function tooMany(text: string, retryAfterSeconds: number): Response {
  return new Response(text, {
    status: 429,
    headers: {
      ...CORS_HEADERS,
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'Retry-After': String(retryAfterSeconds),
    },
  })
}
