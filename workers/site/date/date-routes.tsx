import { Hono } from 'hono'
import { argentineDay, isDay } from '../../../shared/argentine-time.ts'
import { readDay } from '../db/day.ts'
import { pairPath } from '../board/words.ts'
import { viewOf } from '../board/quote-view.ts'
import type { Deps, SiteContext } from '../context.ts'
import { badRequest, HttpError } from '../errors.ts'
import { kept, OF_BOARD } from '../kept.ts'
import { pairOf } from '../pair/pair-of.ts'
import type { LimitDates } from './date-limit.ts'
import { DatePage } from './date-page.tsx'
import { DATE_FORM } from '../../../shared/sentences.ts'

/** A page changes when a later day does, or when history is corrected. */
const CACHE = 'public, max-age=300'

/**
 * `/usd/blue/2024-06-05`, and `/usd/blue/fecha?dia=2024-06-05` for the form that leads there. It
 * reads the database, so it has the limit of the API's date reads.
 */
export function dateRoutes({ now, limitDates }: Pick<Deps, 'now'> & { limitDates: LimitDates }) {
  const keep = kept(OF_BOARD)

  return new Hono<SiteContext>()
    .get('/:currency/:origin/fecha', (c, next) => {
      const pair = pairOf(c)
      if (!pair) return next()

      const day = c.req.query('dia') ?? ''
      if (!isDay(day)) throw badRequest(DATE_FORM)
      const today = argentineDay(now())
      c.header('Cache-Control', 'no-store')
      return Promise.resolve(
        c.redirect(day === today ? pairPath(pair) : `${pairPath(pair)}/${day}`, 303),
      )
    })
    .get('/:currency/:origin/:day{\\d{4}-\\d{2}-\\d{2}}', async (c, next) => {
      const pair = pairOf(c)
      const day = c.req.param('day')
      if (!pair || !isDay(day)) return next()

      const instant = now()
      const today = argentineDay(instant)
      if (day > today) throw new HttpError(404, 'Ese día todavía no llegó')
      if (day === today) return c.redirect(pairPath(pair), 302)
      const path = `${pairPath(pair)}/${day}`
      if (c.req.path !== path) return c.redirect(path, 301)

      limitDates(c)
      return keep(c, async () => {
        const past = await readDay(c.env.DB, pair, day)
        const { board } = c.var
        const quote = board && viewOf(board, pair, instant).quote
        const mode = board?.mode ?? 'live'
        const decreed = board?.decreed
        const props = { pair, day, past, quote, mode, decreed, now: instant }
        c.header('Cache-Control', CACHE)
        c.res = await c.render(<DatePage {...props} />)
      })
    })
}
