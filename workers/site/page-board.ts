import type { Context, MiddlewareHandler } from 'hono'
import { etag } from 'hono/etag'
import { type Board, readBoard } from '../../shared/board/board.ts'
import { boardFromDatabase } from '../../shared/db/quotes/quotes.ts'
import { unavailable } from '../../shared/http-error.ts'
import type { SiteContext } from './context.ts'

/** Answers 304 to a reader who has the same bytes. */
export const conditional = etag()

/**
 * Sets `c.var.board` for a page, and answers 304 to a reader who has the same page. If the database
 * has no quote, the page gets the old published board: pages show which values are late. Null when
 * there is no board at all.
 */
export const withBoard: MiddlewareHandler<SiteContext> = (c, next) =>
  conditional(c, async () => {
    const [{ BOARD, DB }, now] = [c.env, c.var.now()]
    const { board, published } = await readBoard(BOARD, () => boardFromDatabase(DB, now), now)
    c.set('board', board?.quotes.length ? board : published)
    await next()
  })

/** The board of a page that shows nothing without it. */
export function boardOf({ var: { board } }: Context<SiteContext>): Board {
  if (board) return board
  throw unavailable('No pudimos leer las cotizaciones, probá de nuevo en un minuto', 30)
}
