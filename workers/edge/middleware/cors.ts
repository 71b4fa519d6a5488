import type { MiddlewareHandler } from 'hono'
import {
  answerFilePreflight,
  answerPreflight,
  CORS_HEADERS,
  FILE_CORS_HEADERS,
} from '../../../shared/cors.ts'

/**
 * Adds CORS to every response, errors included, and answers the preflights of every path. Browsers
 * must not guess another type for files.
 */
export const cors: MiddlewareHandler = async (c, next) => {
  const isFile = c.req.path.startsWith('/datos/')
  if (c.req.method === 'OPTIONS') return isFile ? answerFilePreflight() : answerPreflight()

  await next()
  const headers = isFile ? FILE_CORS_HEADERS : CORS_HEADERS
  for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value)
  if (isFile) c.res.headers.set('X-Content-Type-Options', 'nosniff')
}
