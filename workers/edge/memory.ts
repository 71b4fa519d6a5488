import type { Deps, CountRead } from './context.ts'
import { BoardMemory } from './current/board-memory.ts'
import { createDateRateLimit, tooMany } from './middleware/date-rate-limit.ts'
import { DateResponseCache } from './date-response-cache.ts'
import { MINUTE_MS } from '../../shared/argentine-time.ts'
import { createBurstLimit } from '../../shared/access/burst-limit.ts'
import { clientOf } from '../../shared/access/client.ts'
import { DAYS_A_MINUTE } from '../../shared/compatibility/limit.ts'
import { TOO_MANY_DAYS } from '../../shared/sentences.ts'

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

const keyOf = (client: string) => client

/**
 * One limit of days for all compatibility addresses. Programs loop over sixty days without a pause
 * and skip refused ones, so the limit is far higher than that.
 */
function createDaysLimit({ now }: Pick<Deps, 'now'>): CountRead {
  const limit = createBurstLimit(MINUTE_MS)

  return (request, env, context) => {
    const admission = limit(
      { limit: DAYS_A_MINUTE, platform: env.COMPATIBILITY_DAYS, keyOf },
      { client: clientOf(request.headers, env), now: now(), context },
    )
    return admission.allowed ? null : tooMany(TOO_MANY_DAYS, admission.retryAfterSeconds)
  }
}
