import { Hono } from 'hono'
import { type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { DayAvailability } from '../../../shared/board/availability.ts'
import { readPublishedBoard } from '../../../shared/board/read-board.ts'
import { readAvailability } from '../../../shared/db/quotes/availability.ts'
import { createStatusReader } from '../../../shared/db/status.ts'
import type { Deps, SiteContext } from '../context.ts'
import { StatusPage } from './status-page.tsx'
import { doubtsOf } from './words.ts'
import { logFailure } from '../../../shared/log.ts'

/** The status page, fed by the code of `GET /api/v2/status`. */
export function statusRoutes({ now }: Pick<Deps, 'now'>) {
  const readStatus = createStatusReader()
  const daysOf = createDaysMemory()

  return new Hono<SiteContext>().get('/', async (c) => {
    const instant = now()
    const [status, days, board] = await Promise.all([
      readStatus(c.env, instant),
      daysOf(c.env.DB, instant),
      readPublishedBoard(c.env.BOARD),
    ])
    c.header('Cache-Control', 'public, max-age=10')
    return c.html(
      <StatusPage status={status} days={days} doubts={doubtsOf(board, instant)} now={instant} />,
    )
  })
}

/** The last days, or null when the database does not answer; read once a minute. */
function createDaysMemory() {
  let kept: DayAvailability[] | null = null
  let readAt = Number.NEGATIVE_INFINITY

  return async (db: D1Database, now: Instant): Promise<DayAvailability[] | null> => {
    if (now - readAt < MINUTE_MS) return kept
    kept = await readAvailability(db, now).catch((error: unknown) => {
      logFailure('availability_failed', error)
      return null
    })
    readAt = now
    return kept
  }
}
