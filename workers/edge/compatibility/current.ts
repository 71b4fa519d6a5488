/** The peers' addresses about now: from the board in memory, before Hono, as cheap as our own. */
import { argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import { quoteOf } from '../../../shared/board/board.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { indexOfDay } from '../../../shared/compatibility/argentinadatos.ts'
import type { Deps, EdgeEnv } from '../context.ts'
import type { BoardMemory } from '../current/board-memory.ts'
import { refuseMethod, refuseUnavailable } from '../current/refusal.ts'
import { type BoardResponses, responseOf } from '../current/board-responses.ts'
import { respond } from '../http/cached-response.ts'
import { printLatest } from './bluelytics.ts'
import { DOLARAPI_READS } from './dolarapi.ts'
import { notFoundAtPeer } from './not-found.ts'
import { answerPeerPreflight } from '../../../shared/cors.ts'
import { asPeerJson, PEER_JSON_TYPE, toPeerJson } from './print-json.ts'
import type { PeerRead } from './read.ts'

const READS = new Map<string, PeerRead>([
  ...DOLARAPI_READS,
  [
    '/v1/finanzas/indices/riesgo-pais/ultimo',
    // The list's last row: that of today, whenever its value began.
    (board, now) => {
      const quote = quoteOf(board, 'ARG', 'RIESGO')
      return quote && indexOfDay['riesgo-pais'](argentineDay(now), numberToPrice(quote.sell))
    },
  ],
  ['/v2/latest', printLatest],
])

/** Every path of these, for tests and documents. */
export const PEER_CURRENT_PATHS: readonly string[] = [...READS.keys()]

/**
 * Answers a peer's address about now, and any method that no peer has. Null for a path that is about
 * the past, or none of theirs.
 */
export function createPeerReads({ now }: Pick<Deps, 'now'>, memory: BoardMemory) {
  return (
    request: Request,
    path: string,
    env: EdgeEnv,
    context: ExecutionContext,
  ): Response | Promise<Response> | null => {
    if (request.method === 'OPTIONS') return answerPeerPreflight()
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return asPeerJson(refuseMethod(request.method))
    }

    const read = READS.get(path)
    if (!read) return null

    const instant = now()
    const fresh = memory.fresh(instant)
    if (fresh) return respondCurrent(request, path, read, fresh, instant)

    return memory
      .read(env, context, now)
      .then((responses) =>
        responses
          ? respondCurrent(request, path, read, responses, now())
          : asPeerJson(refuseUnavailable()),
      )
  }
}

function respondCurrent(
  request: Request,
  path: string,
  read: PeerRead,
  responses: BoardResponses,
  now: Instant,
): Response {
  const response = responseOf(responses, path, (board) => {
    const value = read(board, now)
    const body = typeof value === 'object' ? toPeerJson(value) : value
    return body === undefined ? null : { body, contentType: PEER_JSON_TYPE }
  })
  return response ? respond(request, response) : notFoundAtPeer(path)
}
