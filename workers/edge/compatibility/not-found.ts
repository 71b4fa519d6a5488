import { CORS_HEADERS } from '../../../shared/cors.ts'
import { refuse } from '../current/refusal.ts'

const OF_ARGENTINADATOS = /^\/v1\/(finanzas|cotizaciones\/(dolares|[^/]+\/))/
const HEADERS = { ...CORS_HEADERS, 'Cache-Control': 'no-store' }

/** The 404 of each original: DolarApi sends no body, the others an object of their own. */
export function compatibilityNotFound(path: string, why = 'not found'): Response {
  if (path.startsWith('/v2/')) return refuse(404, `Error: ${why}`)
  if (OF_ARGENTINADATOS.test(path)) return refuse(404, 'Not found')
  return new Response(null, { status: 404, headers: HEADERS })
}
