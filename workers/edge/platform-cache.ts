import { orAbsent } from '../../shared/config/or-absent.ts'
import { parseEdgeCache } from '../../shared/config/config.ts'
import { findCurrentRead } from './current/current-read.ts'
import { pathOf } from './path.ts'

/** Read by Cloudflare alone, before `Cache-Control`, and removed from the answer. */
const HEADER = 'Cloudflare-CDN-Cache-Control'

/**
 * Half of what clients are told, and never after an error: by default the platform would serve an
 * old quote for ever while the Worker answers 503.
 */
const CURRENT = 'max-age=30, stale-if-error=0'

const known = new Map<string | undefined, boolean>()

/**
 * Whether `EDGE_CACHE` is on; read once an isolate. A wrong value is logged and counts as off: it
 * must not cost the current reads.
 */
export function hasPlatformCache(text: string | undefined): boolean {
  let isOn = known.get(text)
  if (isOn === undefined) {
    isOn = orAbsent(() => parseEdgeCache(text)) === 'on'
    known.set(text, isOn)
  }
  return isOn
}

/**
 * Lets the platform's cache keep current reads and nothing else, whatever `Cache-Control` an answer
 * has. That cache ignores `x-api-key` and cookies, and keeps all that is not refused
 * (docs/cache.md).
 */
export async function markForPlatformCache(
  request: Request,
  answer: Response | Promise<Response>,
): Promise<Response> {
  const response = await answer
  const mayKeep =
    (response.status === 200 || response.status === 304) &&
    findCurrentRead(pathOf(request.url)) !== undefined
  const marked = new Response(response.body, response)
  marked.headers.set(HEADER, mayKeep ? CURRENT : 'no-store')
  return marked
}
