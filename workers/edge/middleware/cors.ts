import type { MiddlewareHandler } from 'hono'
import { answerPreflight, CORS_HEADERS } from '../../../shared/cors.ts'

/** CORS of the nightly files. A browser may read parts of a file. */
const FILE_HEADERS = {
  ...CORS_HEADERS,
  'Access-Control-Expose-Headers': `${CORS_HEADERS['Access-Control-Expose-Headers']}, Accept-Ranges, Content-Range`,
}
const FILE_PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'Range, If-Range, If-None-Match, If-Modified-Since',
}

/**
 * Adds CORS to every response, errors included, and answers the preflights of every path. For files
 * it also forbids browsers to guess another content type.
 */
export const cors: MiddlewareHandler = async (c, next) => {
  const isFile = c.req.path.startsWith('/datos/')
  if (c.req.method === 'OPTIONS')
    return answerPreflight(c.req.raw, isFile ? { ...FILE_HEADERS, ...FILE_PREFLIGHT_HEADERS } : {})

  await next()
  const headers = isFile ? FILE_HEADERS : CORS_HEADERS
  for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value)
  if (isFile) c.res.headers.set('X-Content-Type-Options', 'nosniff')
}
