import type { MiddlewareHandler } from 'hono'
import { clientAddress } from '../../../shared/access/client-address.ts'
import { createDateReadLimit } from '../../../shared/access/date-read-limit.ts'
import type { Deps, EdgeContext } from '../context.ts'
import { TOO_MANY_DATES } from '../../../shared/sentences.ts'

const TOO_MANY = TOO_MANY_DATES

/** The date reads' rate limit. Every request counts: HEAD and refused ones too. */
export function createDateRateLimit({ now }: Pick<Deps, 'now'>): MiddlewareHandler<EdgeContext> {
  const limit = createDateReadLimit()

  return async function dateRateLimit(c, next) {
    const admission = await limit(c.env, clientAddress(c.req.raw.headers, c.env), now())
    if (!admission.allowed) return tooMany(TOO_MANY, admission.retryAfterSeconds)

    return next()
  }
}

/** A 429 in plain text. */
export function tooMany(text: string, retryAfterSeconds: number): Response {
  return new Response(text, {
    status: 429,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'Retry-After': String(retryAfterSeconds),
    },
  })
}
