import type { Context, MiddlewareHandler } from 'hono'
import type { SiteContext } from './context.ts'
import { HttpError } from './errors.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses requests that another site made a browser send. Every browser sends the origin of a POST,
 * in `Origin` or `Sec-Fetch-Site`, and it must be ours. A client that sends neither is not a
 * browser that could be misled. Pages still require the form's token of it, and JSON routes a
 * Content-Type that a foreign form cannot send.
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
