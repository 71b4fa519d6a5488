// First: in a bundle, zod is evaluated where one of our modules imports it, and the library of the
// protocol needs it during its own evaluation.
import 'zod'
import { type Context, Hono } from 'hono'
import { HttpError, notFound } from '../../../shared/http-error.ts'
import { securityHeaders } from '../security-headers.ts'
import { unforeseenError } from '../../../shared/unforeseen-error.ts'
import type { Deps, McpContext, McpEnv } from './context.ts'
import { mcpRoutes } from './mcp-routes.ts'

/** The request handler of the MCP endpoint, which the edge hands `/api/mcp` to. */
export function createMcp(deps: Deps) {
  const app = new Hono<McpContext>()
    .onError(respondToError)
    .notFound((c) => respondToError(notFound(), c))
    .use(securityHeaders())
    .route('/api/mcp', mcpRoutes(deps))

  return {
    async fetch(request: Request, env: McpEnv, context: ExecutionContext): Promise<Response> {
      return app.fetch(request, env, context)
    },
  }
}

/** The handler of all errors except those of the database, which the tools handle. */
function respondToError(error: Error, c: Context<McpContext>): Response {
  const { status, message, headers, retryAfter } =
    error instanceof HttpError ? error : unforeseenError(error)

  c.header('Cache-Control', 'no-store')
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter))
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  return c.json({ error: message }, status)
}
