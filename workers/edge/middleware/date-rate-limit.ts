import type { MiddlewareHandler } from 'hono'
import { clientAddress } from '../../../shared/access/client-address.ts'
import { createDateReadLimit } from '../../../shared/access/date-read-limit.ts'
import type { Deps, EdgeContext } from '../context.ts'

/** The date reads' rate limit. Every request counts: HEAD and refused ones too. */
export function createDateRateLimit({ now }: Pick<Deps, 'now'>): MiddlewareHandler<EdgeContext> {
  const limit = createDateReadLimit()

  return async function dateRateLimit(c, next) {
    const admission = await limit(c.env, clientAddress(c.req.raw.headers, c.env), now())
    if (!admission.allowed) return tooMany(admission.retryAfterSeconds)

    return next()
  }
}

function tooMany(retryAfterSeconds: number): Response {
  return new Response('Demasiadas consultas por fecha: espere unos segundos', {
    status: 429,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'Retry-After': String(retryAfterSeconds),
    },
  })
}
