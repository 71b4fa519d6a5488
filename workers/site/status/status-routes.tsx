import { Hono } from 'hono'
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { readPublishedBoard } from '../../../shared/board/read-board.ts'
import { readAvailability } from '../../../shared/db/quotes/availability.ts'
import { createStatusReader, keepLast } from '../../../shared/db/status.ts'
import type { Deps, SiteContext, SiteEnv } from '../context.ts'
import { StatusPage } from './status-page.tsx'
import { doubtsOf } from './words.ts'

/** The status page, fed by the code of `GET /api/v2/status`. */
export function statusRoutes({ now }: Pick<Deps, 'now'>) {
  const readStatus = createStatusReader()
  const daysOf = keepLast(MINUTE_MS, 'availability_failed', ({ DB }: SiteEnv, instant) =>
    readAvailability(DB, instant),
  )

  return new Hono<SiteContext>().get('/', async (c) => {
    const instant = now()
    const [status, days, board] = await Promise.all([
      readStatus(c.env, instant),
      daysOf(c.env, instant),
      readPublishedBoard(c.env.BOARD),
    ])
    c.header('Cache-Control', 'public, max-age=10')
    return c.html(
      <StatusPage status={status} days={days} doubts={doubtsOf(board, instant)} now={instant} />,
    )
  })
}
