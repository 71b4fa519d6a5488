import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { type Pair, findPair } from '../../../shared/market/catalog.ts'
import { viewOf } from '../board/quote-view.ts'
import { pairPath } from '../board/words.ts'
import type { Deps, SiteContext } from '../context.ts'
import { boardMissing } from '../errors.ts'
import { closesCsv, readCharts, readCloses } from './read-charts.ts'
import { kept, OF_BOARD } from '../kept.ts'
import { PairPage } from './pair-page.tsx'

const CACHE = 'public, max-age=60'
/** How many closes the chart's first document has; `todo=1` asks for all. */
const FIRST_DAYS = 400

/** `/usd/blue` and what belongs to it. */
export function pairRoutes({ now }: Pick<Deps, 'now'>) {
  const keep = kept(OF_BOARD)
  return new Hono<SiteContext>()
    .get('/:currency/:origin', toLowerCase, ofPair(pairPage(now), keep))
    .get('/:currency/:origin/grafico.json', ofPair(chartData, kept(OF_BOARD, ['todo'])))
    .get('/:currency/:origin/diario.csv', ofPair(closesFile, keep))
}

/** Redirects to the one address of a page, in lower case. */
const toLowerCase: MiddlewareHandler<SiteContext> = async (c, next) => {
  const pair = pairOf(c)
  return pair && c.req.path !== pairPath(pair) ? c.redirect(pairPath(pair), 301) : next()
}

function pairPage(now: Deps['now']): PairHandler {
  return async (c, pair) => {
    const { board } = c.var
    if (!board) throw boardMissing()
    const instant = now()
    const charts = await readCharts(c.env.BOARD, pair)
    c.header('Cache-Control', CACHE)
    const props = { board, view: viewOf(board, pair, instant), charts, now: instant }
    return c.render(<PairPage {...props} />)
  }
}

async function chartData(c: Context<SiteContext>, pair: Pair): Promise<Response> {
  const { closes, recent } = await readCharts(c.env.BOARD, pair)
  const kept = c.req.query('todo') === '1' ? closes : closes.slice(-FIRST_DAYS)
  return c.json({ closes: kept, recent, whole: kept.length === closes.length }, 200, {
    'Cache-Control': CACHE,
  })
}

async function closesFile(c: Context<SiteContext>, pair: Pair): Promise<Response> {
  const file = `${pairPath(pair).slice(1).replace('/', '-')}-diario.csv`
  return c.body(closesCsv(await readCloses(c.env.BOARD, pair)), 200, {
    'Cache-Control': CACHE,
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${file}"`,
  })
}

/** The pair of a path in any letter case. */
export function pairOf(c: Context<SiteContext>): Pair | undefined {
  return findPair(c.req.param('currency') ?? '', c.req.param('origin') ?? '')
}

export type PairHandler = (c: Context<SiteContext>, pair: Pair) => Response | Promise<Response>

/**
 * Handles the pair of the path, with `keep` (`kept`). Paths outside the catalogue are left to other
 * routes before anything is read.
 */
export function ofPair(
  answer: PairHandler,
  keep: MiddlewareHandler<SiteContext>,
): MiddlewareHandler<SiteContext> {
  return async (c, next) => {
    const pair = pairOf(c)
    if (!pair) return next()
    return keep(c, async () => {
      c.res = await answer(c, pair)
    })
  }
}
