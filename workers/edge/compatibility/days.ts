/** The addresses of other services' APIs for the quotes of one day. */
import type { Context } from 'hono'
import { past } from '../../../shared/api/compatibility.ts'
import { argentineDay, type Day, type Instant, isDay } from '../../../shared/argentine-time.ts'
import { findPair, type Pair } from '../../../shared/market/catalog.ts'
import { CASAS, type Casa, casasOn, dollarOfDay } from '../../../shared/market/other-services.ts'
import { priceToNumber, type QuotedPoint } from '../../../shared/market/price.ts'
import type { EdgeContext } from '../context.ts'
import { quoteNotFound } from '../errors.ts'
import { JSON_TYPE } from '../http/answer.ts'
import { dateQuery, maxAgeOfDay, readQuotes, respondDated } from '../http/dated.ts'
import { type App, type AppDeps, route } from '../http/route.ts'
import { limitCompatibilityDays, limitedBy } from '../middleware/rate-limit.ts'
import { compatibilityNotFound } from './addresses.ts'
import { GROUPS, printGroups, printJson } from './current.ts'

/** ArgentinaDatos' files of earlier days have no field `casa`. */
const CASA_SINCE: Day = '2024-01-20'

/** ArgentinaDatos' dollars and currencies on a day, and all of Bluelytics' quotes on a day. */
export function compatibilityDays(app: App, deps: AppDeps): void {
  const limited = [limitedBy(limitCompatibilityDays(deps))]

  route(app, past.dollarsOfDay, limited, async (c, { params }) => {
    const [day, now] = [dayOf(params), deps.now()]
    const rows = await dollarsOf(c, casasOn(day, 'day'), day, now)
    return respond(c, deps, { day, now, body: printJson(rows) })
  })

  route(app, past.dollarOfDay, limited, async (c, { params }) => {
    const [day, now] = [dayOf(params), deps.now()]
    const casas = CASAS.filter(({ casa }) => casa === params.casa)
    const [row] = await dollarsOf(c, casas, day, now)
    return respond(c, deps, { day, now, body: printJson(row!) })
  })

  route(app, past.currencyOfDay, limited, async (c, { params }) => {
    const [day, now] = [dayOf(params), deps.now()]
    const moneda = params.moneda.toUpperCase()
    const [value] = (await valuesOf(c, [findPair(moneda, 'OFICIAL')!], day, now)) ?? []
    if (!value) throw quoteNotFound()

    const row = {
      moneda,
      ...(day >= CASA_SINCE && { casa: 'oficial' }),
      compra: priceToNumber(value.buy),
      venta: priceToNumber(value.sell),
      fecha: day,
    }
    return respond(c, deps, { day, now, body: printJson(row) })
  })

  // Unlike Bluelytics, this also answers for weekends and holidays.
  route(app, past.groupsOfDay, limited, async (c, { query: { day = '' } }) => {
    const notFound = (why: string) => compatibilityNotFound(c.req.path, why)
    if (!isDay(day)) return notFound('parsing day parameter: use YYYY-MM-DD')

    const now = deps.now()
    const pairs = GROUPS.map(({ pair }) => pair)
    const groups = printGroups((await valuesOf(c, pairs, day, now)) ?? [])
    if (groups === null) return notFound('day not found')
    return respond(c, deps, { day, now, body: `{${groups}}` })
  })
}

function dayOf({ year, month, day }: { year: string; month: string; day: string }): Day {
  return `${year}-${month}-${day}`
}

/** The rows of the casas that have a value on a day; a 404 when none has. */
async function dollarsOf(
  c: Context<EdgeContext>,
  casas: readonly Casa[],
  day: Day,
  now: Instant,
): Promise<object[]> {
  const pairs = casas.map(({ pair }) => pair)
  const values = (await valuesOf(c, pairs, day, now)) ?? []
  const rows = casas.flatMap(({ casa }, index) => {
    const value = values[index]
    return value ? [dollarOfDay(casa, day, value.buy, value.sell)] : []
  })
  if (rows.length === 0) throw quoteNotFound()
  return rows
}

/**
 * The values at the end of a day, or now when it is today. Null when the day does not exist or has
 * not begun.
 */
async function valuesOf(
  c: Context<EdgeContext>,
  pairs: readonly Pair[],
  day: Day,
  now: Instant,
): Promise<(QuotedPoint | null)[] | null> {
  if (!isDay(day) || day > argentineDay(now)) return null
  return readQuotes(c, pairs, dateQuery(day, undefined, now))
}

function respond(
  c: Context<EdgeContext>,
  deps: AppDeps,
  { day, now, body }: { day: Day; now: Instant; body: string },
): Promise<Response> {
  const maxAgeSeconds = maxAgeOfDay(day, now)
  return respondDated(c, deps, { body, contentType: JSON_TYPE, maxAgeSeconds }, now)
}
