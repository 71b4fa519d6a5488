import type { Deps } from './context.ts'
import { createDaysLimit } from './compatibility/days-limit.ts'
import { BoardMemory } from './current/board-memory.ts'
import { createDateRateLimit } from './middleware/date-rate-limit.ts'
import { DateResponseCache } from './date-response-cache.ts'

export type Memory = ReturnType<typeof openMemory>

/** What an isolate keeps between requests, for the reads before Hono and those behind it. */
export function openMemory(deps: Pick<Deps, 'now'>) {
  return {
    board: new BoardMemory(),
    dateResponses: new DateResponseCache(),
    countDateRead: createDateRateLimit(deps),
    countCompatibilityDay: createDaysLimit(deps),
  }
}
