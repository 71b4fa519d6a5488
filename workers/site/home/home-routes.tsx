import { Hono } from 'hono'
import type { Deps, SiteContext } from '../context.ts'
import { groupsOf } from '../board/quote-view.ts'
import { BoardTables } from './board-tables.tsx'
import { readForm } from './conversion.ts'
import { GapBars } from './gap-bars.tsx'
import { HomePage } from './home-page.tsx'
import { kept, OF_BOARD } from '../kept.ts'
import { readListCharts } from '../pair/read-charts.ts'

/** Shorter than the minute after which the page's script loads it again. */
const CACHE = 'public, max-age=30'
const RETRY_AFTER = '30'

/** `/`, and `/tablero`: the part of it that is refreshed in place. */
export function homeRoutes({ now }: Pick<Deps, 'now'>) {
  return new Hono<SiteContext>()
    .get('/', kept(OF_BOARD, ['monto', 'par', 'lado']), async (c) => {
      const { board } = c.var
      const charts = await readListCharts(c.env.BOARD)
      const form = readForm(c.req.query())
      const props = { board, charts, now: now(), form, origin: c.var.origin }
      const page = <HomePage {...props} />
      if (board) return c.html(page, 200, { 'Cache-Control': CACHE })
      return c.html(page, 503, { 'Cache-Control': 'no-store', 'Retry-After': RETRY_AFTER })
    })
    .get('/tablero', kept(OF_BOARD), async (c) => {
      const { board } = c.var
      const charts = await readListCharts(c.env.BOARD)
      if (!board)
        return c.body(null, 503, { 'Cache-Control': 'no-store', 'Retry-After': RETRY_AFTER })

      const instant = now()
      return c.html(
        <>
          <BoardTables board={board} charts={charts} now={instant} />
          <div data-cell="brechas">
            <GapBars groups={groupsOf(board, instant)} />
          </div>
        </>,
        200,
        { 'Cache-Control': CACHE, 'X-Robots-Tag': 'noindex' },
      )
    })
}
