import type { Deps } from './context.ts'
import { createDaysLimit } from './compatibility/days-limit.ts'
import { BoardMemory } from './current/board-memory.ts'
import { createDateRateLimit } from './middleware/date-rate-limit.ts'
import { KeptResponses } from './past/kept-past.ts'
import { KnownRevision } from './past/known-revision.ts'

export type Memory = ReturnType<typeof openMemory>

/** What an isolate keeps from request to request, for the reads before Hono and for those behind it. */
export function openMemory(deps: Pick<Deps, 'now'>) {
  const board = new BoardMemory()
  return {
    board,
    /** Which past its answers belong to. */
    known: new KnownRevision(board),
    responses: new KeptResponses(),
    /** The one counter of date reads. */
    countDateRead: createDateRateLimit(deps),
    /** The same of days at the compatibility addresses. */
    countCompatibilityDay: createDaysLimit(deps),
  }
}
