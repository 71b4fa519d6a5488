/** The peers' addresses about now: from the board in memory, before Hono, as cheap as our own. */
import { argentineDay } from '../../../shared/argentine-time.ts'
import { quoteOf } from '../../../shared/board/board.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { indexOfDay } from '../../../shared/peers/argentinadatos.ts'
import type { Deps, EdgeEnv } from '../context.ts'
import { type Answer, type Answers, keepAnswer } from '../current/answer.ts'
import type { BoardMemory } from '../current/board-memory.ts'
import { refuseMethod, refuseUnavailable } from '../current/refusal.ts'
import { respond } from '../current/respond.ts'
import { printLatest } from './bluelytics.ts'
import { DOLARAPI_READS } from './dolarapi.ts'
import { notFoundAtPeer } from './not-found.ts'
import { answerPeerPreflight } from '../../../shared/cors.ts'
import { asPeerJson, PEER_JSON_TYPE, toPeerJson } from './peer-json.ts'
import type { PeerRead } from './peer-read.ts'

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

    const notFound = () => notFoundAtPeer(path)
    const instant = now()
    const answers = memory.fresh(instant)
    if (answers) return respond(request, answerOf(answers, path, read, instant), notFound)

    return memory
      .read(env, context, now)
      .then((answers) =>
        answers
          ? respond(request, answerOf(answers, path, read, now()), notFound)
          : asPeerJson(refuseUnavailable()),
      )
  }
}

function answerOf(answers: Answers, path: string, read: PeerRead, now: number): Answer {
  const made = answers.made.get(path)
  if (made) return made

  const value = read(answers.board, now)
  const body = typeof value === 'object' ? toPeerJson(value) : (value ?? null)
  return keepAnswer(answers, path, body, { 'Content-Type': PEER_JSON_TYPE })
}
