/** The compatibility addresses about now: answered from the board in memory, before Hono. */
import { argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import { quoteOf } from '../../../shared/board/board.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { indexOfDay } from '../../../shared/compatibility/argentinadatos.ts'
import { inRequest } from '../../../shared/log.ts'
import type { Deps, EdgeEnv } from '../context.ts'
import type { BoardMemory } from '../current/board-memory.ts'
import { refuseMethod, refuseUnavailable } from '../current/refusal.ts'
import { type BoardResponses, responseOf } from '../current/board-responses.ts'
import { respond } from '../http/cached-response.ts'
import { printLatest } from './bluelytics.ts'
import { type CompatibilityRead, DOLARAPI_READS } from './dolarapi.ts'
import { compatibilityNotFound } from './not-found.ts'
import { answerPreflight } from '../../../shared/cors.ts'
import { JSON_TYPE, printCompatibilityJson } from '../http/json.ts'

const READS = new Map<string, CompatibilityRead>([
  ...DOLARAPI_READS,
  [
    '/v1/finanzas/indices/riesgo-pais/ultimo',
    // The last row of the list is today's, even if its value is older.
    (board, now) => {
      const quote = quoteOf(board, 'ARG', 'RIESGO')
      return quote && indexOfDay['riesgo-pais'](argentineDay(now), numberToPrice(quote.sell))
    },
  ],
  ['/v2/latest', printLatest],
])

/** For tests and documents. */
export const COMPATIBILITY_CURRENT_PATHS: readonly string[] = [...READS.keys()]

/**
 * Answers a compatibility address about now, and refuses any method that none of them has. Null for
 * a path about the past, or one that is not theirs.
 */
export function createCompatibilityReads({ now }: Pick<Deps, 'now'>, memory: BoardMemory) {
  return (
    request: Request,
    path: string,
    env: EdgeEnv,
    context: ExecutionContext,
  ): Response | Promise<Response> | null => {
    if (request.method === 'OPTIONS') return answerPreflight(request)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refuseMethod(request)
    }

    const read = READS.get(path)
    if (!read) return null

    const instant = now()
    const fresh = memory.fresh(instant)
    if (fresh) return respondCurrent(request, path, read, fresh, instant)

    return inRequest(request, () => memory.read(env, context, now)).then((responses) =>
      responses ? respondCurrent(request, path, read, responses, now()) : refuseUnavailable(),
    )
  }
}

function respondCurrent(
  request: Request,
  path: string,
  read: CompatibilityRead,
  responses: BoardResponses,
  now: Instant,
): Response {
  const response = responseOf(responses, path, (board) => {
    const value = read(board, now)
    const body = typeof value === 'object' ? printCompatibilityJson(value) : value
    return body === undefined ? null : { body, contentType: JSON_TYPE }
  })
  return response ? respond(request, response) : compatibilityNotFound(path)
}
