import { type Context, Hono } from 'hono'
import type { Pair } from '../../../shared/market/catalog.ts'
import { viewOf } from '../board/quote-view.ts'
import type { Deps, SiteContext } from '../context.ts'
import { boardMissing } from '../errors.ts'
import { kept, OF_BOARD_AND_MINUTE } from '../kept/kept.ts'
import { ofPair } from '../pair/pair-of.ts'
import { EmbedPage } from './embed-page.tsx'

/** `/embed/usd/blue`: the only page that other sites may put into a frame (FRAMED_PATH). */
export function embedRoutes({ now }: Pick<Deps, 'now'>) {
  function card(c: Context<SiteContext>, pair: Pair) {
    const { board, origin } = c.var
    if (!board) throw boardMissing()
    const instant = now()
    const props = { view: viewOf(board, pair, instant), mode: board.mode, now: instant, origin }
    return c.html(<EmbedPage {...props} />, 200, { 'Cache-Control': 'public, max-age=60' })
  }

  return new Hono<SiteContext>().get(
    '/embed/:currency/:origin',
    ofPair(card, kept(OF_BOARD_AND_MINUTE)),
  )
}

/** Where frames of other sites are let in. */
export const FRAMED_PATH = '/embed/'
