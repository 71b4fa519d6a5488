import { parseEdgeCache } from '../../shared/config/config.ts'
import { findCurrentRead } from './current/current-read.ts'
import { pathOf } from './path.ts'
import { createSwitch } from './switch.ts'

/** Read by Cloudflare alone, before `Cache-Control`, and removed from the answer. */
const HEADER = 'Cloudflare-CDN-Cache-Control'

/**
 * Half of the clients' `max-age`, and never after an error: by default the platform would serve an
 * old quote for ever while the Worker answers 503.
 */
const CURRENT = 'max-age=30, stale-if-error=0'

/** Whether `EDGE_CACHE` is on. */
export const hasPlatformCache = createSwitch(parseEdgeCache)

/**
 * Lets the platform's cache keep current reads and nothing else, whatever `Cache-Control` a response
 * has. That cache ignores `x-api-key` and cookies, and keeps every response that does not forbid it
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
