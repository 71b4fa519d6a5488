import { answerPreflight, CORS_HEADERS } from '../../../shared/cors.ts'
import { prefersJson } from '../http/accept.ts'
import { JSON_TYPE } from '../http/json.ts'
import {
  METHOD_NOT_ALLOWED,
  QUOTE_NOT_FOUND,
  SERVICE_UNAVAILABLE,
} from '../../../shared/sentences.ts'

/** An Error object, outside Hono: the hot path does not load it. */
export function refuse(
  status: number,
  error: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify({ error }), {
    status,
    headers: {
      ...CORS_HEADERS,
      'Content-Type': JSON_TYPE,
      'Cache-Control': 'no-store',
      ...headers,
    },
  })
}

/** Seconds that a client should wait when neither KV nor D1 works. */
const RETRY_AFTER = '15'

/** The answer when there is no board. */
export function refuseUnavailable(): Response {
  return refuse(503, SERVICE_UNAVAILABLE, {
    'Retry-After': RETRY_AFTER,
  })
}

/** The response to a method that a read does not have, and to a preflight. */
export function refuseMethod(request: Request): Response {
  if (request.method === 'OPTIONS') return answerPreflight(request)
  return refuse(405, METHOD_NOT_ALLOWED, { Allow: 'GET, HEAD, OPTIONS' })
}

/**
 * The gate's 404 of a pair outside the catalogue: a page, or the Error object (decision 6: pairs
 * outside the catalogue). A request for a bare number gets one line, because a spreadsheet shows
 * the body in its cell (decision 67: forms of current reads).
 */
export function refuseUnknownPair(accept: string | null, bare: boolean): Response {
  if (prefersJson(accept)) return refuse(404, QUOTE_NOT_FOUND, { Vary: 'Accept' })

  return new Response(bare ? QUOTE_NOT_FOUND : PAGE, {
    status: 404,
    headers: {
      ...CORS_HEADERS,
      'Cache-Control': 'no-store',
      'Content-Type': `text/${bare ? 'plain' : 'html'}; charset=utf-8`,
      'Content-Security-Policy': "default-src 'none'",
      Vary: 'Accept',
    },
  })
}

const PAGE = `<!doctype html>
<html lang="es">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Cotización no encontrada</title></head>
<body><main><h1>Cotización no encontrada</h1><p>El par pedido no existe en el catálogo. La lista completa está en <a href="/api/v2/quotes">/api/v2/quotes</a>.</p></main></body>
</html>
`
