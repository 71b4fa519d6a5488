import type { Instant } from '../../../shared/argentine-time.ts'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { readBoard } from '../board/read-board.ts'
import type { Deps, SiteContext, SiteEnv } from '../context.ts'
import { groupsOf } from '../board/quote-view.ts'
import { BoardTables } from './board-tables.tsx'
import { readForm } from './conversion.ts'
import { GapBars } from './gap-bars.tsx'
import { HomePage } from './home-page.tsx'
import { type ListCharts, readListCharts } from '../pair/read-charts.ts'

/** Shorter than the minute after which the page's script asks again. */
const CACHE = 'public, max-age=30'
const RETRY_AFTER = '30'
/** The charts of all pairs are kept in the isolate, so that most visits cost one read of KV. */
const KEPT_MS = 30_000

/** `/`, and `/tablero`: the part of it that is refreshed in place. */
export function homeRoutes({ now }: Pick<Deps, 'now'>) {
  let kept: { at: Instant; charts: ListCharts } | undefined

  return new Hono<SiteContext>()
    .get('/', etag(), async (c) => {
      const [board, charts] = await read(c.env)
      const form = readForm(c.req.query())
      const props = { board, charts, now: now(), form, origin: c.var.origin }
      const page = <HomePage {...props} />
      if (board) return c.html(page, 200, { 'Cache-Control': CACHE })
      return c.html(page, 503, { 'Cache-Control': 'no-store', 'Retry-After': RETRY_AFTER })
    })
    .get('/tablero', etag(), async (c) => {
      const [board, charts] = await read(c.env)
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

  function read(env: SiteEnv) {
    return Promise.all([readBoard(env, now()), listCharts(env)])
  }

  async function listCharts({ BOARD }: SiteEnv): Promise<ListCharts> {
    if (kept && Math.abs(now() - kept.at) < KEPT_MS) return kept.charts
    // The answer is kept, never the promise: one of a request that was cancelled may never settle.
    const charts = await readListCharts(BOARD)
    kept = { at: now(), charts }
    return charts
  }
}
