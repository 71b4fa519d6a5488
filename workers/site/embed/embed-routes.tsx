import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { viewOf } from '../board/quote-view.ts'
import { readBoard } from '../board/read-board.ts'
import type { Deps, SiteContext } from '../context.ts'
import { boardMissing } from '../errors.ts'
import { pairOf } from '../pair/pair-of.ts'
import { EmbedPage } from './embed-page.tsx'

/** `/embed/usd/blue`: the only page that other sites may put into a frame (FRAMED_PATH). */
export function embedRoutes({ now }: Pick<Deps, 'now'>) {
  return new Hono<SiteContext>().get('/embed/:currency/:origin', etag(), async (c, next) => {
    const pair = pairOf(c)
    if (!pair) return next()

    const board = await readBoard(c.env, now())
    if (!board) throw boardMissing()
    const instant = now()
    const view = viewOf(board, pair, instant)
    return c.html(
      <EmbedPage view={view} mode={board.mode} now={instant} origin={c.var.origin} />,
      200,
      { 'Cache-Control': 'public, max-age=60' },
    )
  })
}

/** Where frames of other sites are let in. */
export const FRAMED_PATH = '/embed/'
