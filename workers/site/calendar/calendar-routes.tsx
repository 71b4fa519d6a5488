import { Hono } from 'hono'
import { argentineDay } from '../../../shared/argentine-time.ts'
import { FIRST_CALENDAR_YEAR } from '../../../shared/market/holidays.ts'
import type { Deps, SiteContext } from '../context.ts'
import { kept, OF_BOARD } from '../kept/kept.ts'
import { CalendarPage } from './calendar-page.tsx'

const CACHE = 'public, max-age=600'

/** `/calendario` is the current year; `/calendario/2027` a chosen one, up to the next year. */
export function calendarRoutes({ now }: Pick<Deps, 'now'>) {
  return new Hono<SiteContext>().get('/:year{\\d{4}}?', kept(OF_BOARD), async (c, next) => {
    const instant = now()
    const running = Number(argentineDay(instant).slice(0, 4))
    const years = calendarYears(running)
    const year = Number(c.req.param('year') ?? running)
    if (!years.includes(year)) return next()

    const props = { year, years, known: c.var.board ?? {}, now: instant }
    const page = <CalendarPage {...props} origin={c.var.origin} />
    return c.html(page, 200, { 'Cache-Control': CACHE })
  })
}

/** The years with a page: from the first known to the next. */
function calendarYears(running: number): number[] {
  const count = running + 2 - FIRST_CALENDAR_YEAR
  return Array.from({ length: count }, (_, index) => FIRST_CALENDAR_YEAR + index)
}
