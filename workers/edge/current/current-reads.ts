import type { Instant } from '../../../shared/argentine-time.ts'
import type { Deps, EdgeEnv } from '../context.ts'
import { answerPreflight } from '../../../shared/cors.ts'
import { type Answers, answerOf } from './answer.ts'
import { asksForForm, asksForValue, formedAnswer, readForm } from './forms.ts'
import type { BoardMemory } from './board-memory.ts'
import { type CurrentRead, findCurrentRead, looksLikePair } from './current-read.ts'
import { refuse, refuseMethod, refuseUnavailable, refuseUnknownPair } from './refusal.ts'
import { respond } from './respond.ts'

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
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod(request.method)

    const instant = now()
    const answers = memory.fresh(instant)
    if (answers) return respondCurrent(request, url, answers, read, instant)

    return memory
      .read(env, context, now)
      .then((answers) =>
        answers ? respondCurrent(request, url, answers, read, now()) : refuseUnavailable(),
      )
  }
}

function respondCurrent(
  request: Request,
  url: string,
  answers: Answers,
  read: CurrentRead,
  now: Instant,
) {
  if (!asksForForm(request, url))
    return respond(request, answerOf(answers, read, now), quoteNotFound)

  const form = readForm(request, read)
  if (!form.ok) return refuse(400, form.refusal)
  return respond(request, formedAnswer(answers, read, form.value, now), quoteNotFound)
}

function quoteNotFound(): Response {
  return refuse(404, 'Cotización no encontrada')
}

function gate(request: Request, url: string): Response {
  if (request.method === 'OPTIONS') return answerPreflight()
  return refuseUnknownPair(request.headers.get('Accept'), asksForValue(url))
}
