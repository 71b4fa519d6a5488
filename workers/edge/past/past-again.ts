import type { CountRead, Deps, EdgeEnv } from '../context.ts'
import { prefersCsv } from '../http/accept.ts'
import { respond } from '../http/cached-response.ts'
import type { Memory } from '../memory.ts'

/** What chooses an answer about the past: its address, and CSV or JSON. */
export function responseKey(request: Request): string {
  return prefersCsv(request.headers.get('Accept')) ? `${request.url} csv` : request.url
}

/**
 * Answers again what was asked before of a day that is over (`respondPast`), without Hono. Null for
 * everything else, which is counted against its limit, `countRead` here, where it is answered.
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
