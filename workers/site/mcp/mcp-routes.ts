import { createMcpHandler } from '@modelcontextprotocol/server'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { clientAddress } from '../../../shared/client-address.ts'
import { createDateReadLimit } from '../../../shared/date-read-limit.ts'
import type { Deps, SiteContext } from '../context.ts'
import { logUnexpected } from '../errors.ts'
import { createMcpServer } from './server.ts'

/** As for every body of the API. */
const MAX_BODY_BYTES = 16 * 1024

/**
 * The MCP endpoint: streamable HTTP without sessions and without keys. Each request gets a server
 * of its own, so isolates share nothing; GET and DELETE, which sessions would need, are 405, and
 * nobody can subscribe: the tools never change. Any page may use it: nothing here is anyone's own.
 */
export function mcpRoutes({ now }: Pick<Deps, 'now'>) {
  const limitDates = createDateReadLimit()

  return new Hono<SiteContext>()
    .use(cors({ origin: '*', allowMethods: ['POST', 'OPTIONS'], exposeHeaders: ['Retry-After'] }))
    .all('/', async (c) => {
      const address = clientAddress(c.req.raw.headers, c.env)
      const handler = createMcpHandler(
        () =>
          createMcpServer({ env: c.env, now, admitDate: () => limitDates(c.env, address, now()) }),
        { maxSubscriptions: 0, maxRequestBodySize: MAX_BODY_BYTES, onerror: noteOwnFault },
      )
      const response = await handler.fetch(c.req.raw)
      return new Response(response.body, withoutStore(response))
    })
}

/** What clients get wrong is answered; only our own faults are for the log. */
function noteOwnFault(error: Error): void {
  if (error.name === 'TypeError') logUnexpected(error)
}

function withoutStore({ status, headers }: Response): ResponseInit {
  const copy = new Headers(headers)
  copy.set('Cache-Control', 'no-store')
  return { status, headers: copy }
}
