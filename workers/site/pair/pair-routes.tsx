import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { etag } from 'hono/etag'
import type { Board } from '../../../shared/board/board.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { readBoard } from '../board/read-board.ts'
import { type PairView, viewOf } from '../board/quote-view.ts'
import { pairPath } from '../board/words.ts'
import type { Deps, SiteContext, SiteEnv } from '../context.ts'
import { boardMissing } from '../errors.ts'
import { closesCsv } from './closes-csv.ts'
import { readChoices, usualRangeOf } from './chart-choices.ts'
import { pairOf } from './pair-of.ts'
import { PairPage } from './pair-page.tsx'
import { type Charts, readCharts } from './read-charts.ts'
import { sharePicture } from './share-picture.ts'

const CACHE = 'public, max-age=60'
/** Previews keep it for days anyway, and each one is a few milliseconds of drawing. */
const PICTURE_CACHE = 'public, max-age=300'
/** Days that the chart's first document goes back; `todo=1` asks for all. */
const FIRST_DAYS = 400

/** `/usd/blue` and what belongs to it. */
export function pairRoutes({ now }: Pick<Deps, 'now'>) {
  return (
    new Hono<SiteContext>()
      .get('/:currency/:origin', etag(), ofPair(pairPage(now)))
      .get('/:currency/:origin/grafico.json', etag(), ofPair(chartData))
      .get('/:currency/:origin/diario.csv', etag(), ofPair(closesFile))
      .get('/:currency/:origin/imagen.png', etag(), ofPair(picture(now)))
      // Until it was PNG the picture had this address, and previews remember.
      .get('/:currency/:origin/imagen.svg', ofPair(redirectToPicture))
  )
}

type Answer = (c: Context<SiteContext>, pair: Pair) => Response | Promise<Response>

/** Answers for the pair of the path. Paths outside the catalogue are left to other routes. */
function ofPair(answer: Answer): MiddlewareHandler<SiteContext> {
  return async (c, next) => {
    const pair = pairOf(c)
    return pair ? answer(c, pair) : next()
  }
}

function pairPage(now: Deps['now']): Answer {
  return async (c, pair) => {
    if (c.req.path !== pairPath(pair)) return c.redirect(pairPath(pair), 301)

    const { board, view, charts } = await readPair(c.env, pair, now)
    const instant = now()
    const choices = readChoices(c.req.query(), usualRangeOf(charts, instant))
    const props = { board, view, charts, choices, now: instant, origin: c.var.origin }
    return c.html(<PairPage {...props} />, 200, { 'Cache-Control': CACHE })
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
  return c.body(closesCsv(await readCharts(c.env.BOARD, pair)), 200, {
    'Cache-Control': CACHE,
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${file}"`,
  })
}

function picture(now: Deps['now']): Answer {
  return async (c, pair) => {
    const { board, view, charts } = await readPair(c.env, pair, now)
    return c.body(await sharePicture(view, charts, board.mode, now()), 200, {
      'Cache-Control': PICTURE_CACHE,
      'Content-Type': 'image/png',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
  }
}

function redirectToPicture(c: Context<SiteContext>, pair: Pair): Response {
  return c.redirect(`${pairPath(pair)}/imagen.png`, 301)
}

async function readPair(
  env: SiteEnv,
  pair: Pair,
  now: Deps['now'],
): Promise<{ board: Board; view: PairView; charts: Charts }> {
  const [board, charts] = await Promise.all([readBoard(env, now()), readCharts(env.BOARD, pair)])
  if (!board) throw boardMissing()
  return { board, view: viewOf(board, pair, now()), charts }
}
