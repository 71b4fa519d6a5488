import { CORS_HEADERS } from '../../../shared/cors.ts'
import { asPeerJson } from './print-json.ts'

const OF_ARGENTINADATOS = /^\/v1\/(finanzas|cotizaciones\/(dolares|[^/]+\/))/
const HEADERS = { ...CORS_HEADERS, 'Cache-Control': 'no-store' }

/** What a peer answers where it has nothing: DolarApi no body, the others an object of their own. */
export function notFoundAtPeer(path: string, why = 'not found'): Response {
  if (path.startsWith('/v2/')) return refused(`Error: ${why}`)
  if (OF_ARGENTINADATOS.test(path)) return refused('Not found')
  return new Response(null, { status: 404, headers: HEADERS })
}

function refused(error: string): Response {
  return asPeerJson(Response.json({ error }, { status: 404, headers: HEADERS }))
}
