import { inRequest } from '../../../shared/log.ts'
import type { Instant } from '../../../shared/argentine-time.ts'
import type { Deps, EdgeEnv } from '../context.ts'
import { answerPreflight } from '../../../shared/cors.ts'
import { type CachedResponse, respond } from '../http/cached-response.ts'
import type { BoardMemory } from './board-memory.ts'
import { type BoardResponses, jsonResponse } from './board-responses.ts'
import { asksForForm, asksForValue, formedResponse, readForm } from './forms.ts'
import { type CurrentRead, findCurrentRead, looksLikePair } from './current-read.ts'
import { refuse, refuseMethod, refuseUnavailable, refuseUnknownPair } from './refusal.ts'
import { QUOTE_NOT_FOUND } from '../../../shared/sentences.ts'

/**
 * The current reads: the hot path. It comes before Hono and loads neither it nor zod.
 * Returns null for every path that is another route's.
 */
export function createCurrentReads({ now }: Pick<Deps, 'now'>, memory: BoardMemory) {
  return (
    request: Request,
    { url, path }: { url: string; path: string },
    env: EdgeEnv,
    context: ExecutionContext,
  ): Response | Promise<Response> | null => {
    const read = findCurrentRead(path)
    if (!read) return looksLikePair(path) ? gate(request, url) : null
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod(request)

    const instant = now()
    const fresh = memory.fresh(instant)
    if (fresh) return respondCurrent(request, url, fresh, read, instant)

    return inRequest(request, () => memory.read(env, context, now)).then((responses) =>
      responses ? respondCurrent(request, url, responses, read, now()) : refuseUnavailable(),
    )
  }
}

function respondCurrent(
  request: Request,
  url: string,
  responses: BoardResponses,
  read: CurrentRead,
  now: Instant,
): Response {
  if (!asksForForm(request, url)) return send(request, jsonResponse(responses, read, now))

  const form = readForm(request, read)
  if (!form.ok) return refuse(400, form.refusal)
  return send(request, formedResponse(responses, read, form.value, now))
}

function send(request: Request, response: CachedResponse | null): Response {
  return response ? respond(request, response) : refuse(404, QUOTE_NOT_FOUND)
}

function gate(request: Request, url: string): Response {
  if (request.method === 'OPTIONS') return answerPreflight(request)
  return refuseUnknownPair(request.headers.get('Accept'), asksForValue(url))
}
