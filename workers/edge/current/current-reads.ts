import type { Deps, EdgeEnv } from '../context.ts'
import { answerPreflight } from '../../../shared/cors.ts'
import { matchesEtag } from '../http/etag.ts'
import { type Answer, type Answers, answerOf } from './answer.ts'
import type { BoardMemory } from './board-memory.ts'
import { type CurrentRead, findCurrentRead, looksLikePair } from './current-read.ts'
import { refuse, refuseUnknownPair } from './refusal.ts'

/** Seconds a reader should wait when neither KV nor D1 answers. */
const RETRY_AFTER = '15'

/**
 * The current reads: the hot path. It comes before Hono and loads neither it nor zod.
 * Returns null for every path that is another route's.
 */
export function createCurrentReads({ now }: Pick<Deps, 'now'>, memory: BoardMemory) {
  return (
    request: Request,
    path: string,
    env: EdgeEnv,
    context: ExecutionContext,
  ): Response | Promise<Response> | null => {
    const read = findCurrentRead(path)
    if (!read) return looksLikePair(path) ? gate(request) : null
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod(request.method)

    const instant = now()
    const answers = memory.fresh(instant)
    if (answers) return respond(request, answerOf(answers, read, instant))

    return memory
      .read(env, context, now)
      .then((answers) => respondLate(request, answers, read, now()))
  }
}

function respondLate(request: Request, answers: Answers | null, read: CurrentRead, now: number) {
  if (!answers) {
    return refuse(503, 'Servicio no disponible, probá de nuevo en unos segundos', {
      'Retry-After': RETRY_AFTER,
    })
  }
  return respond(request, answerOf(answers, read, now))
}

function respond(request: Request, { body, etag, headers }: Answer): Response {
  if (body === null) return refuse(404, 'Cotización no encontrada')
  if (matchesEtag(request.headers.get('If-None-Match'), etag)) {
    return new Response(null, { status: 304, headers })
  }
  return new Response(request.method === 'HEAD' ? null : body, { headers })
}

function gate(request: Request): Response {
  if (request.method === 'OPTIONS') return answerPreflight()
  return refuseUnknownPair(request.headers.get('Accept'))
}

function refuseMethod(method: string): Response {
  if (method === 'OPTIONS') return answerPreflight()
  return refuse(405, 'Método no permitido', { Allow: 'GET, HEAD, OPTIONS' })
}
