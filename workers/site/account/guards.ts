/** The checks that account requests pass first: origin, size, headers. */
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { answerPreflight, CORS_HEADERS } from '../../../shared/cors.ts'
import { MAX_BODY_BYTES } from '../../../shared/limits.ts'
import type { SiteContext } from '../context.ts'
import { HttpError, incompleteBody } from '../../../shared/http-error.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses requests that another site made a browser send. Every browser sends the origin of a POST
 * in `Origin` or `Sec-Fetch-Site`, and this must be our origin. A client that sends neither is not
 * a browser. Pages also require the session's form token, and JSON routes a Content-Type that a
 * form of another site cannot send.
 */
export const sameOriginOnly: MiddlewareHandler<SiteContext> = async (c, next) => {
  if (!SAFE.has(c.req.method) && isForeign(c)) throw foreignRequest()

  await next()
}

export const foreignRequest = () =>
  new HttpError(403, 'El pedido no vino de esta página; volvé a intentarlo desde tu cuenta')

function isForeign(c: Context<SiteContext>): boolean {
  const origin = c.req.header('Origin')
  const site = c.req.header('Sec-Fetch-Site')

  return (
    (origin !== undefined && origin !== c.var.origin) ||
    (site !== undefined && site !== 'same-origin')
  )
}

const limitBody = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => {
    throw new HttpError(413, 'El cuerpo supera los 16 KiB')
  },
})

/**
 * Refuses bodies that are too long. It skips GET: the library would copy the body into a new GET,
 * which cannot have a body. A body that ends too early is an error of the client.
 */
export const BODY_LIMIT: MiddlewareHandler = async (c, next) => {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return next()
  try {
    return await limitBody(c, next)
  } catch (error) {
    throw error instanceof HttpError ? error : incompleteBody()
  }
}

/** Headers of answers under `/api/`: `no-store` and CORS. */
export const apiHeaders: MiddlewareHandler = async (c, next) => {
  if (c.req.method === 'OPTIONS') return answerPreflight(c.req.raw)

  await next()
  c.header('Cache-Control', 'no-store')
  for (const [name, value] of Object.entries(CORS_HEADERS)) c.header(name, value)
}
