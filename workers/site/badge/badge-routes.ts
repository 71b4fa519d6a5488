import { Hono } from 'hono'
import { findPair } from '../../../shared/market/catalog.ts'
import { viewOf } from '../board/quote-view.ts'
import type { Deps, SiteContext } from '../context.ts'
import { boardMissing } from '../errors.ts'
import { kept, OF_BOARD } from '../kept/kept.ts'
import { badge } from './badge.ts'

/** `/badge/usd/blue.svg`, for any page of anyone. */
export function badgeRoutes({ now }: Pick<Deps, 'now'>) {
  const keep = kept(OF_BOARD)

  return new Hono<SiteContext>().get('/badge/:currency/:file', (c, next) => {
    const origin = c.req.param('file').match(/^(.+)\.svg$/i)?.[1]
    const pair = origin && findPair(c.req.param('currency'), origin)
    if (!pair) return next()

    return keep(c, async () => {
      const { board } = c.var
      if (!board) throw boardMissing()
      c.res = c.body(badge(viewOf(board, pair, now()), board.mode), 200, {
        'Cache-Control': 'public, max-age=60',
        'Content-Type': 'image/svg+xml; charset=utf-8',
        'Cross-Origin-Resource-Policy': 'cross-origin',
      })
    })
  })
}
