import type { MiddlewareHandler } from 'hono'
import { clientOf } from '../../../shared/access/client.ts'
import { createDateReadLimit } from '../../../shared/access/date-read-limit.ts'
import { TOO_MANY_DATES } from '../../../shared/sentences.ts'
import { CORS_HEADERS } from '../../../shared/cors.ts'
import type { CountRead, Deps, EdgeContext } from '../context.ts'

/** The date reads' rate limit. Every request counts: HEAD and refused ones too. */
export function createDateRateLimit({ now }: Pick<Deps, 'now'>): CountRead {
  const limit = createDateReadLimit()

  return (request, env, context) => {
    const client = clientOf(request.headers, env)
    const admission = limit(env, { client, now: now(), context })
    return admission.allowed ? null : tooMany(TOO_MANY_DATES, admission.retryAfterSeconds)
  }
}

/** The limit as a middleware. */
export function limitedBy(countRead: CountRead): MiddlewareHandler<EdgeContext> {
  return async function limited(c, next) {
    return countRead(c.req.raw, c.env, c.executionCtx) ?? next()
  }
}

/** A 429 in plain text. */
export function tooMany(text: string, retryAfterSeconds: number): Response {
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
