import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { argentineDay } from '../../../shared/argentine-time.ts'
import { HOLIDAY_YEARS } from '../../../shared/market/holidays.ts'
import type { Deps, SiteContext } from '../context.ts'
import { CalendarPage } from './calendar-page.tsx'

const CACHE = 'public, max-age=600'

/** `/calendario` is the year that runs, or the last one known; `/calendario/2027` a chosen one. */
export function calendarRoutes({ now }: Pick<Deps, 'now'>) {
  return new Hono<SiteContext>().get('/:year{\\d{4}}?', etag(), (c, next) => {
    const instant = now()
    const running = Number(argentineDay(instant).slice(0, 4))
    const asked = c.req.param('year')
    const year = asked ? Number(asked) : Math.min(running, HOLIDAY_YEARS.at(-1)!)
    if (!HOLIDAY_YEARS.includes(year)) return next()

    const page = <CalendarPage year={year} now={instant} origin={c.var.origin} />
    return Promise.resolve(c.html(page, 200, { 'Cache-Control': CACHE }))
  })
}
