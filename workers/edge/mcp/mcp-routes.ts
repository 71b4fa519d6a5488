import type { Context } from 'hono'
import { createDateReadLimit } from '../../../shared/access/burst-limit.ts'
import { setting } from '../../../shared/config/config.ts'
import { methodNotAllowed } from '../../../shared/http-error.ts'
import { logFailure } from '../../../shared/log.ts'
import type { Deps, EdgeContext, EdgeHandler } from '../context.ts'
import { HttpError, respondToError } from '../errors.ts'
import { Hono } from '../hono.ts'
import { acceptsJson } from '../http/accept.ts'
import { readJson } from '../http/json-body.ts'
import { callTool } from './call-tool.ts'
import { makeTools } from './tools.ts'

/**
 * The MCP endpoint: streamable HTTP without sessions and without keys. Each request gets its own
 * server, so isolates share nothing. GET and DELETE only serve sessions, so they are 405. Requests
 * are limited by client, and each holds one message. The tools read the API through `answer`.
 */
export function mcpRoutes({ now }: Pick<Deps, 'now'>, answer: EdgeHandler) {
  const limit = createDateReadLimit('mcp:', 'MCP_REQUEST_LIMIT')
  let tools: ReturnType<typeof makeTools> | undefined

  return new Hono<EdgeContext>()
    .onError(refuse)
    .use(async (c, next) => {
      await next()
      c.header('Cache-Control', 'no-store')
    })
    .post('/', async (c) => {
      const retryAfter = limit(c.req.raw, c.env, now(), c.executionCtx)
      if (retryAfter !== null) throw tooManyRequests(retryAfter)

      const message = await readMessage(c.req.raw)
      const context = c.executionCtx as ExecutionContext
      const readApi = (path: string) => answer(apiRequest(c, path), c.env, context)
      // Loaded at the first call: evaluating the library costs more CPU than the rest of the start.
      const { answerMcp } = await import('./server.ts')
      return answerMcp(c.req.raw, message, {
        tools: (tools ??= makeTools()),
        call: (tool, given) => callTool(tool, given, readApi),
        onerror: logOwnFault,
      })
    })
    .all('/', () => {
      throw methodNotAllowed(['POST'])
    })
}

/** Logs only our own errors. Errors of clients get a response. */
function logOwnFault(error: Error): void {
  if (error.name === 'TypeError') logFailure('unexpected_error', error)
}

/** An API read for the same client. It passes on only the header with the client's address. */
function apiRequest({ req, env }: Context<EdgeContext>, path: string): Request {
  const name = setting(env, 'CLIENT_ADDRESS_HEADER')
  const address = req.header(name)
  const headers = { Accept: 'application/json', ...(address !== undefined && { [name]: address }) }
  return new Request(new URL(path, req.url), { headers })
}

/** Reads the one message of a request. The client must accept JSON, the only form of the answer. */
async function readMessage(request: Request): Promise<unknown> {
  if (!acceptsJson(request.headers.get('Accept'))) {
    throw new HttpError(406, 'La respuesta es JSON: Accept tiene que admitir application/json')
  }
  const message = await readJson(request)
  // Newer versions of the protocol have no batches, and a batch would count as one request.
  if (Array.isArray(message)) throw new ManyMessages()
  return message
}

class ManyMessages extends HttpError {
  constructor() {
    super(400, 'Un pedido lleva un solo mensaje: las listas no se admiten')
  }
}

const tooManyRequests = (retryAfter: number) =>
  new HttpError(429, `Demasiados pedidos: probá de nuevo en ${retryAfter} segundos`, { retryAfter })

/**
 * Refusals made before the MCP library, as JSON-RPC errors; -32000 is the first code that servers
 * may define.
 */
function refuse(error: Error, c: Context<EdgeContext>): Response {
  if (!(error instanceof HttpError)) return respondToError(error, c)
  const { status, message, retryAfter, headers } = error
  const code = error instanceof ManyMessages ? -32600 : status === 400 ? -32700 : -32000
  const retry = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
  return Response.json(
    { jsonrpc: '2.0', id: null, error: { code, message } },
    { status, headers: { ...headers, ...retry } },
  )
}
