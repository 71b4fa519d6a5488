import { Hono } from 'hono'
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

  return new Hono<SiteContext>().get('/', async (c) => {
    const instant = now()
    const [status, days, board] = await Promise.all([
      readStatus(c.env, instant),
      readAvailability(c.env.DB, instant).catch((error: unknown) => {
        logFailure('availability_failed', error)
        return null
      }),
      readPublishedBoard(c.env.BOARD),
    ])
    c.header('Cache-Control', 'public, max-age=10')
    return c.html(
      <StatusPage status={status} days={days} doubts={doubtsOf(board, instant)} now={instant} />,
    )
  })
}
