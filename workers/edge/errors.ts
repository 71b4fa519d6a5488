import type { Context } from 'hono'
import {
  HttpError,
  methodNotAllowed,
  notFound,
  refusalHeaders,
  unavailable,
  unforeseenError,
} from '../../shared/http-error.ts'
import { logFailure } from '../../shared/log.ts'
import { QUOTE_NOT_FOUND } from '../../shared/sentences.ts'
import { compatibilityNotFound, isCompatibilityPath } from './compatibility/addresses.ts'
import type { EdgeContext } from './context.ts'
import { prefersJson } from './http/accept.ts'
import type { Hono } from './hono.ts'

export { badRequest, HttpError, unavailable } from '../../shared/http-error.ts'

export const quoteNotFound = () => new HttpError(404, QUOTE_NOT_FOUND)

/** Seconds that a client should wait when the database does not answer. */
const DATABASE_RETRY_SECONDS = 10

/** Waits for the database. Logs a failure, and throws a 503 with this text. */
export async function orUnavailable<Value>(answer: Promise<Value>, text: string): Promise<Value> {
  try {
    return await answer
  } catch (error) {
    logFailure('database_failed', error)
    throw unavailable(text, DATABASE_RETRY_SECONDS)
  }
}

const outOfReach = () =>
  unavailable('El servicio no está disponible en este momento', DATABASE_RETRY_SECONDS)

/**
 * The response to every error of the public API: the Error object, or at a compatibility address
 * the 404 of the original service.
 */
export function respondToError(error: Error, c: Context<EdgeContext>): Response {
  const known =
    error instanceof HttpError ? error : unforeseenError(error, c.var.databaseFailed(), outOfReach)
  if (known.status === 404 && isCompatibilityPath(c.req.path))
    return compatibilityNotFound(c.req.path)
  return c.json({ error: known.message }, known.status, refusalHeaders(known))
}

/** Responds when no route matches: 405 if the path has other methods, else 404. */
export function respondToUnknown(app: Hono<EdgeContext>, c: Context<EdgeContext>): Response {
  const { method, path } = c.req
  const allowed = isCompatibilityPath(path) ? ['GET'] : methodsOf(app, path)
  if (allowed.length > 0 && !allowed.includes(method)) {
    const named = allowed.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]))
    return respondToError(methodNotAllowed(named), c)
  }
  return looksLikePair(path) ? unknownPair(c) : respondToError(notFound(), c)
}

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE']

/** The methods that routes, and not just middleware, have for a path. */
function methodsOf({ router }: Hono<EdgeContext>, path: string): string[] {
  return METHODS.filter((method) =>
    router.match(method, path)[0].some(([[, route]]) => route.method === method),
  )
}

/** Path segments that begin other routes and are never a currency. */
const RESERVED = new Set(
  'date auth webhooks history account mcp v2 alerts convert invoicing series'.split(' '),
)

/**
 * Whether a path has the shape of a current pair: `/api/v2/{currency}/{origin}` or
 * `/api/{currency}/{origin}` (decisions 6, 57: paths outside the catalogue).
 */
function looksLikePair(path: string): boolean {
  if (!path.startsWith('/api/')) return false

  const segments = path.split('/', 6).slice(2)
  if (segments[0]?.toLowerCase() === 'v2' && segments.length > 2) segments.shift()

  return (
    segments.length === 2 &&
    segments.every((segment) => segment !== '') &&
    !RESERVED.has(segments[0]!.toLowerCase())
  )
}

/**
 * The 404 of a pair outside the catalogue: a page, or the Error object (decision 6: pairs outside
 * the catalogue). A request for a bare number gets one line, because a spreadsheet shows the body
 * in its cell (decision 67: forms of current reads).
 */
function unknownPair(c: Context<EdgeContext>): Response {
  const headers = { 'Cache-Control': 'no-store', Vary: 'Accept' }
  if (prefersJson(c.req.header('Accept'))) return c.json({ error: QUOTE_NOT_FOUND }, 404, headers)

  const isBare = c.req.query('format') === 'value'
  return c.body(isBare ? QUOTE_NOT_FOUND : PAGE, 404, {
    ...headers,
    'Content-Type': `text/${isBare ? 'plain' : 'html'}; charset=utf-8`,
    'Content-Security-Policy': "default-src 'none'",
  })
}

const PAGE = `<!doctype html>
<html lang="es">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Cotización no encontrada</title></head>
<body><main><h1>Cotización no encontrada</h1><p>El par pedido no existe en el catálogo. La lista completa está en <a href="/api/v2/quotes">/api/v2/quotes</a>.</p></main></body>
</html>
`
