import { CORS_HEADERS } from '../../../shared/cors.ts'
import { asCompatibilityJson } from './print-json.ts'

const OF_ARGENTINADATOS = /^\/v1\/(finanzas|cotizaciones\/(dolares|[^/]+\/))/
const HEADERS = { ...CORS_HEADERS, 'Cache-Control': 'no-store' }

/** The 404 of each original: DolarApi sends no body, the others an object of their own. */
export function compatibilityNotFound(path: string, why = 'not found'): Response {
  if (path.startsWith('/v2/')) return refused(`Error: ${why}`)
  if (OF_ARGENTINADATOS.test(path)) return refused('Not found')
  return new Response(null, { status: 404, headers: HEADERS })
}

function refused(error: string): Response {
  return asCompatibilityJson(Response.json({ error }, { status: 404, headers: HEADERS }))
}
