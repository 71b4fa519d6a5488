import { Hono, type MiddlewareHandler } from 'hono'
import { notFound } from '../../../shared/http-error.ts'
import { findPair } from '../../../shared/market/catalog.ts'
import { viewOf } from '../board/quote-view.ts'
import { pairPath } from '../board/words.ts'
import type { SiteContext } from '../context.ts'
import { boardOf, conditional, withBoard } from '../page-board.ts'
import { PairPage } from './pair-page.tsx'
import { closesCsv, readCharts, readCloses } from './read-charts.ts'

const CACHE = 'public, max-age=60'
/** How many closes the chart's first document has; `todo=1` asks for all. */
const FIRST_DAYS = 400

/** `/usd/blue`, and the documents of its chart. */
export function pairRoutes() {
  return new Hono<SiteContext>()
    .get('/:currency/:origin', inCatalogue(), toLowerCase, withBoard, async (c) => {
      const { pair, now } = c.var
      const board = boardOf(c)
      const charts = await readCharts(c.env.BOARD, pair)
      c.header('Cache-Control', CACHE)
      return c.render(<PairPage board={board} view={viewOf(board, pair, now())} charts={charts} />)
    })
    .get('/:currency/:origin/grafico.json', inCatalogue(), conditional, async (c) => {
      const { closes, recent } = await readCharts(c.env.BOARD, c.var.pair)
      const some = c.req.query('todo') === '1' ? closes : closes.slice(-FIRST_DAYS)
      c.header('Cache-Control', CACHE)
      return c.json({ closes: some, recent, whole: some.length === closes.length })
    })
    .get('/:currency/:origin/diario.csv', inCatalogue(), conditional, async (c) => {
      const file = `${pairPath(c.var.pair).slice(1).replace('/', '-')}-diario.csv`
      return c.body(closesCsv(await readCloses(c.env.BOARD, c.var.pair)), 200, {
        'Cache-Control': CACHE,
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${file}"`,
      })
    })
}

/** Sets `c.var.pair` from a path in any letter case. Other paths are a 404 before any read. */
export function inCatalogue(ending = ''): MiddlewareHandler<SiteContext> {
  return async (c, next) => {
    const [currency = '', origin = ''] = [c.req.param('currency'), c.req.param('origin')]
    const end = origin.length - ending.length
    const hasEnding = origin.slice(end).toLowerCase() === ending
    const pair = hasEnding && findPair(currency, origin.slice(0, end))
    if (!pair) throw notFound()

    c.set('pair', pair)
    await next()
  }
}

/** Redirects to the canonical address of a page, in lower case. */
const toLowerCase: MiddlewareHandler<SiteContext> = async (c, next) => {
  const path = pairPath(c.var.pair)
  return c.req.path === path ? next() : c.redirect(path, 301)
}
