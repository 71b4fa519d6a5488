import { setting } from '../../../shared/config/config.ts'
import { orAbsent } from '../../../shared/log.ts'
import { JSON_TYPE } from '../http/answer.ts'

const known = new Map<string | undefined, boolean>()

/**
 * Whether `COMPATIBILITY` is on; each text is parsed once per isolate. A malformed value is logged
 * and counts as off, so that reads still work.
 */
export function hasCompatibility(text: string | undefined): boolean {
  let isOn = known.get(text)
  if (isOn === undefined) {
    isOn = orAbsent(() => setting({ COMPATIBILITY: text }, 'COMPATIBILITY')) === 'on'
    known.set(text, isOn)
  }
  return isOn
}

/** Whether a path may be a compatibility address. None of our own paths begins like this. */
export function isCompatibilityPath(path: string): boolean {
  return path.startsWith('/v1/') || path.startsWith('/v2/')
}

const OF_ARGENTINADATOS = /^\/v1\/(finanzas|cotizaciones\/(dolares|[^/]+\/))/

/** The 404 of the original service: DolarApi sends no body, the others each their own object. */
export function compatibilityNotFound(path: string, why = 'not found'): Response {
  const isBluelytics = path.startsWith('/v2/')
  const error = isBluelytics ? `Error: ${why}` : OF_ARGENTINADATOS.test(path) ? 'Not found' : null
  return new Response(error && JSON.stringify({ error }), {
    status: 404,
    headers: { 'Cache-Control': 'no-store', ...(error && { 'Content-Type': JSON_TYPE }) },
  })
}
