import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { clientOf } from '../../../shared/access/client.ts'
import { createDateReadLimit } from '../../../shared/access/date-read-limit.ts'
import { BODY_LIMIT } from '../body-limit.ts'
import type { Deps, SiteContext } from '../context.ts'
import { badRequest, HttpError } from '../errors.ts'
import { respondToError } from '../respond-to-error.tsx'

/**
 * The MCP endpoint: streamable HTTP without sessions and without keys. Each request gets a server
 * of its own, so isolates share nothing; GET and DELETE, which sessions would need, are 405, and
 * nobody can subscribe: the tools never change. Pages of any site may use it, because nothing here
 * is private. A client's requests are limited as its date reads are, and each holds one message.
 * The tools are evaluated at their first request, because no page needs them.
 */
export function mcpRoutes({ now }: Pick<Deps, 'now'>) {
  const limitDates = createDateReadLimit()
  const limitRequests = createDateReadLimit('mcp:', 'MCP_REQUEST_LIMIT')

  const limited = (c: Context<SiteContext>) => ({
    client: clientOf(c.req.raw.headers, c.env),
    now: now(),
    context: c.executionCtx,
  })
  async function answer(c: Context<SiteContext>, message?: unknown): Promise<Response> {
    const { answerMcp } = await import('./server.ts')
    const admitDate = () => limitDates(c.env, limited(c))
    return answerMcp(c.req.raw, message, { env: c.env, now, admitDate })
  }

  return new Hono<SiteContext>()
    .onError(refuse)
    .use(cors({ origin: '*', allowMethods: ['POST', 'OPTIONS'], exposeHeaders: ['Retry-After'] }))
    .use(async (c, next) => {
      await next()
      c.header('Cache-Control', 'no-store')
    })
    .post('/', async (c, next) => {
      const admission = limitRequests(c.env, limited(c))
      if (admission.allowed) return next()

      const retryAfter = admission.retryAfterSeconds
      const text = `Demasiados pedidos: probá de nuevo en ${retryAfter} segundos`
      throw new HttpError(429, text, { retryAfter })
    })
    .post('/', BODY_LIMIT, async (c) => {
      const message: unknown = await c.req.json().catch(() => {
        throw badRequest('El cuerpo no es JSON')
      })
      // Newer versions of the protocol have no lists, and one would count as one request.
      if (Array.isArray(message)) throw new ManyMessages()
      return answer(c, message)
    })
    .all('/', (c) => answer(c))
}

class ManyMessages extends HttpError {
  constructor() {
    super(400, 'Un pedido lleva un solo mensaje: las listas no se admiten')
  }
}

/** Refusals before the protocol, in its form; -32000 is the first code that servers may define. */
function refuse(error: Error, c: Context<SiteContext>): Response | Promise<Response> {
  if (!(error instanceof HttpError)) return respondToError(error, c)
  const { status, message, retryAfter } = error
  const code = error instanceof ManyMessages ? -32600 : status === 400 ? -32700 : -32000
  return Response.json(
    { jsonrpc: '2.0', id: null, error: { code, message } },
    { status, headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) } },
  )
}
