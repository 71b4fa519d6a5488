import type { Deps } from './context.ts'
import { createDaysLimit } from './compatibility/days-limit.ts'
import { BoardMemory } from './current/board-memory.ts'
import { createDateRateLimit } from './middleware/date-rate-limit.ts'
import { KeptResponses } from './past/kept-past.ts'
import { KnownRevision } from './past/known-revision.ts'

export type Memory = ReturnType<typeof openMemory>

/** What an isolate keeps between requests, for the reads before Hono and those behind it. */
export function openMemory(deps: Pick<Deps, 'now'>) {
  const board = new BoardMemory()
  return {
    board,
    /** The revision of the past, as far as the isolate knows it. */
    known: new KnownRevision(board),
    responses: new KeptResponses(),
    countDateRead: createDateRateLimit(deps),
    countCompatibilityDay: createDaysLimit(deps),
  }
}
