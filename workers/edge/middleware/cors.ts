import type { MiddlewareHandler } from 'hono'
import { answerPreflight, CORS_HEADERS } from '../../../shared/cors.ts'

/** Adds CORS to every answer, errors included, and answers preflights of every path. */
export const cors: MiddlewareHandler = async (c, next) => {
  if (c.req.method === 'OPTIONS') return answerPreflight()

  await next()
  for (const [name, value] of Object.entries(CORS_HEADERS)) c.res.headers.set(name, value)
}
