import { createMcpHandler } from '@modelcontextprotocol/server'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { clientAddress } from '../../../shared/access/client-address.ts'
import { MAX_BODY_BYTES } from '../body-limit.ts'
import { parseMcpRequestLimit } from '../../../shared/config/config.ts'
import { createDateReadLimit } from '../../../shared/access/date-read-limit.ts'
import { logFailure } from '../../../shared/log.ts'
import type { Deps, McpContext } from './context.ts'
import { batchRefused, cutShort, tooLarge, tooMany } from './refusals.ts'
import { createMcpServer } from './server.ts'
import { onceBoard } from './tool-context.ts'

/**
 * The MCP endpoint: streamable HTTP without sessions and without keys. Each request gets a server
 * of its own, so isolates share nothing; GET and DELETE, which sessions would need, are 405, and
 * nobody can subscribe: the tools never change. Any page may use it: nothing here is anyone's own.
 * A client's requests are limited as its date reads are, and each holds one message.
 */
export function mcpRoutes({ now }: Deps) {
  const limitDates = createDateReadLimit()
  const limitRequests = createDateReadLimit('mcp:', parseMcpRequestLimit)

  const askedBy = (c: Context<McpContext>) => ({
    address: clientAddress(c.req.raw.headers, c.env),
    now: now(),
    context: c.executionCtx,
  })

  return new Hono<McpContext>()
    .use(cors({ origin: '*', allowMethods: ['POST', 'OPTIONS'], exposeHeaders: ['Retry-After'] }))
    .use(async (c, next) => {
      await next()
      c.header('Cache-Control', 'no-store')
    })
    .post('/', async (c, next) => {
      const { MCP_REQUEST_LIMIT: DATE_READ_LIMIT, DATE_READS } = c.env
      const admission = limitRequests({ DATE_READ_LIMIT, DATE_READS }, askedBy(c))
      return admission.allowed ? next() : tooMany(admission.retryAfterSeconds)
    })
    .post('/', async (c, next) => {
      try {
        return await oneMessage(c, next)
      } catch {
        return cutShort()
      }
    })
    .all('/', async (c) => {
      const readBoard = onceBoard({ env: c.env, now })
      const admitDate = () => limitDates(c.env, askedBy(c))
      const handler = createMcpHandler(
        () => createMcpServer({ env: c.env, now, readBoard, admitDate }),
        { maxSubscriptions: 0, maxRequestBodySize: MAX_BODY_BYTES, onerror: noteOwnFault },
      )
      return handler.fetch(await unread(c))
    })
}

const limitBody = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: tooLarge })

/** Throws when the body ends before it should: what comes after answers for itself. */
const oneMessage: MiddlewareHandler<McpContext> = (c, next) =>
  limitBody(c, async () => {
    const isBatch = (await c.req.text()).trimStart().startsWith('[')
    if (isBatch) c.res = batchRefused()
    else await next()
  })

/** The request as it came, though its body was looked at. */
async function unread({ req }: Context<McpContext>): Promise<Request> {
  return req.method === 'POST'
    ? new Request(req.raw, { method: 'POST', body: await req.text() })
    : req.raw
}

/** What clients get wrong is answered; only our own faults are for the log. */
function noteOwnFault(error: Error): void {
  if (error.name === 'TypeError') logFailure('unexpected_error', error)
}
