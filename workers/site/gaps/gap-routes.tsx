import { Hono } from 'hono'
import type { Deps, SiteContext } from '../context.ts'
import { boardMissing } from '../errors.ts'
import { kept, OF_BOARD } from '../kept/kept.ts'
import { CHART_PARAMETERS, readChoices } from '../pair/chart-choices.ts'
import { readGaps } from './gap-history.ts'
import { GapPage } from './gap-page.tsx'

/** `/brecha`: every dollar against the official one. */
export function gapRoutes({ now }: Pick<Deps, 'now'>) {
  return new Hono<SiteContext>().get('/', kept(OF_BOARD, CHART_PARAMETERS), async (c) => {
    const instant = now()
    const { board } = c.var
    if (!board) throw boardMissing()

    const gaps = await readGaps(c.env.BOARD, board, instant)
    const known = Math.max(...gaps.map(({ values }) => values.filter((v) => v !== null).length))
    const query = c.req.query()
    const choices = readChoices(query, known > 32 ? 'anio' : known > 2 ? 'mes' : 'dia')
    const props = { gaps, choices, chosen: 'comparar' in query, mode: board.mode }
    return c.html(<GapPage {...props} now={instant} origin={c.var.origin} />, 200, {
      'Cache-Control': 'public, max-age=60',
    })
  })
}
