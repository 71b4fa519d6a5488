import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { readBoard } from '../board/read-board.ts'
import type { Deps, SiteContext } from '../context.ts'
import { groupsOf } from '../board/quote-view.ts'
import { BoardTables } from './board-tables.tsx'
import { readForm } from './conversion.ts'
import { HomePage, summaryOf } from './home-page.tsx'

/** Shorter than the minute after which the page's script asks again. */
const CACHE = 'public, max-age=30'
const RETRY_AFTER = '30'

/** `/`, and `/tablero`: the part of it that is refreshed in place. */
export function homeRoutes({ now }: Pick<Deps, 'now'>) {
  return new Hono<SiteContext>()
    .get('/', etag(), async (c) => {
      const board = await readBoard(c.env, now())
      const form = readForm(c.req.query())
      const page = <HomePage board={board} now={now()} form={form} origin={c.var.origin} />
      if (board) return c.html(page, 200, { 'Cache-Control': CACHE })
      return c.html(page, 503, { 'Cache-Control': 'no-store', 'Retry-After': RETRY_AFTER })
    })
    .get('/tablero', etag(), async (c) => {
      const board = await readBoard(c.env, now())
      if (!board)
        return c.body(null, 503, { 'Cache-Control': 'no-store', 'Retry-After': RETRY_AFTER })

      const instant = now()
      return c.html(
        <>
          <p data-cell="resumen">{summaryOf(groupsOf(board, instant))}</p>
          <BoardTables board={board} now={instant} />
        </>,
        200,
        { 'Cache-Control': CACHE, 'X-Robots-Tag': 'noindex' },
      )
    })
}
