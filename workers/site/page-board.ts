import type { Context, MiddlewareHandler } from 'hono'
import { etag } from 'hono/etag'
import type { Instant } from '../../shared/argentine-time.ts'
import { type Board, readBoard } from '../../shared/board/board.ts'
import { boardFromDatabase } from '../../shared/db/quotes/quotes.ts'
import { unavailable } from '../../shared/http-error.ts'
import type { SiteContext, SiteEnv } from './context.ts'

const conditional = etag()

/** Sets `c.var.board` for a page, and answers 304 to a reader who has the same page. */
export const withBoard: MiddlewareHandler<SiteContext> = (c, next) =>
  conditional(c, async () => {
    c.set('board', await boardForPage(c.env, c.var.now()))
    await next()
  })

/** The board of a page that shows nothing without it. */
export function boardOf({ var: { board } }: Context<SiteContext>): Board {
  if (board) return board
  throw unavailable('No pudimos leer las cotizaciones, probá de nuevo en un minuto', 30)
}

/**
 * The board for pages. When the database has no quote either, an old board is better than none,
 * because pages mark late values. Null when there is no quote anywhere.
 */
async function boardForPage(
  { BOARD, DB }: Pick<SiteEnv, 'BOARD' | 'DB'>,
  now: Instant,
): Promise<Board | null> {
  const { board, published } = await readBoard(BOARD, () => boardFromDatabase(DB, now), now)
  if (board && (board === published || board.quotes.length > 0)) return board
  return published
}
