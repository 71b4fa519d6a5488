import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { findPair } from '../../../shared/market/catalog.ts'
import { viewOf } from '../board/quote-view.ts'
import { readBoard } from '../board/read-board.ts'
import type { Deps, SiteContext } from '../context.ts'
import { boardMissing } from '../errors.ts'
import { badge } from './badge.ts'

/** `/badge/usd/blue.svg`, for any page of anyone. */
export function badgeRoutes({ now }: Pick<Deps, 'now'>) {
  return new Hono<SiteContext>().get('/badge/:currency/:file', etag(), async (c, next) => {
    const origin = c.req.param('file').match(/^(.+)\.svg$/i)?.[1]
    const pair = origin && findPair(c.req.param('currency'), origin)
    if (!pair) return next()

    const board = await readBoard(c.env, now())
    if (!board) throw boardMissing()
    return c.body(badge(viewOf(board, pair, now()), board.mode), 200, {
      'Cache-Control': 'public, max-age=60',
      'Content-Type': 'image/svg+xml; charset=utf-8',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
  })
}
