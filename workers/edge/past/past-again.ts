import type { CountRead, Deps, EdgeEnv } from '../context.ts'
import { prefersCsv } from '../http/accept.ts'
import { respond } from '../http/cached-response.ts'
import type { Memory } from '../memory.ts'

/** What selects a response about the past: its address, and CSV or JSON. */
export function responseKey(request: Request): string {
  return prefersCsv(request.headers.get('Accept')) ? `${request.url} csv` : request.url
}

/**
 * Repeats a kept response about a closed day (`respondPast`), without Hono, and counts the request
 * with `countRead`. Null for everything else, whose own route counts it.
 */
export function createPastAgain(
  { now }: Pick<Deps, 'now'>,
  { known, responses }: Pick<Memory, 'known' | 'responses'>,
) {
  return (
    request: Request,
    env: EdgeEnv,
    context: ExecutionContext,
    countRead: CountRead,
  ): Response | null => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null

    const past = known.inMemory(now())
    const response = past && responses.get(responseKey(request))
    if (!response || response.revision < past.revision) return null
    return countRead(request, env, context) ?? respond(request, response)
  }
}
