/** The compatibility addresses of one day. */
import type { Context } from 'hono'
import { type Day, type Instant, isDay } from '../../../shared/argentine-time.ts'
import { findPair } from '../../../shared/market/catalog.ts'
import { type DateQuery, dateQuery } from '../../../shared/market/date-query.ts'
import { priceToNumber } from '../../../shared/market/price.ts'
import { dollarOfDay, casasOn } from '../../../shared/market/other-services.ts'
import type { EdgeContext } from '../context.ts'
import { quoteNotFound } from '../errors.ts'
import { maxAgeOfDay, readQuotes, respondDated } from '../http/dated.ts'
import { GROUPS, printGroups, printJson } from './current.ts'
import { compatibilityNotFound } from './addresses.ts'
import { JSON_TYPE } from '../http/answer.ts'
import type { AppDeps } from '../http/route.ts'

/** ArgentinaDatos: the dollars of a day in its order, or a single one. */
export async function dollarsOfDay(
  c: Context<EdgeContext>,
  deps: AppDeps,
  only?: string,
): Promise<Response> {
  const day = dayOf(c)
  const casas = casasOn(day, 'day').filter(({ casa }) => only === undefined || casa === only)
  const now = deps.now()
  const query = queryOf(day, now)
  if (casas.length === 0 || !query) throw quoteNotFound()

  const pairs = casas.map(({ pair }) => pair)
  const values = await readQuotes(c, pairs, query)
  const rows = casas.flatMap(({ casa }, index) => {
    const value = values[index]
    return value ? [dollarOfDay(casa, day, value.buy, value.sell)] : []
  })
  if (rows.length === 0) throw quoteNotFound()
  const body = printJson(only === undefined ? rows : rows[0]!)
  return respondDay(c, deps, { day, now, body })
}

/** ArgentinaDatos has no `casa` in its files of earlier days. */
const CASA_SINCE: Day = '2024-01-20'

/** ArgentinaDatos: one of DolarApi's currencies on a day. */
export async function currencyOfDay(
  c: Context<EdgeContext>,
  deps: AppDeps,
  wanted: string,
): Promise<Response> {
  const day = dayOf(c)
  const moneda = wanted.toUpperCase()
  const now = deps.now()
  const query = queryOf(day, now)
  if (!query) throw quoteNotFound()

  const [value] = await readQuotes(c, [findPair(moneda, 'OFICIAL')!], query)
  if (!value) throw quoteNotFound()
  const row = {
    moneda,
    ...(day >= CASA_SINCE && { casa: 'oficial' }),
    compra: priceToNumber(value.buy),
    venta: priceToNumber(value.sell),
    fecha: day,
  }
  return respondDay(c, deps, { day, now, body: printJson(row) })
}

/** Bluelytics: its groups on a day. Ours includes weekends and holidays. */
export async function groupsOfDay(c: Context<EdgeContext>, deps: AppDeps): Promise<Response> {
  const day = c.req.query('day') ?? ''
  if (!isDay(day)) return compatibilityNotFound(c.req.path, 'parsing day parameter: use YYYY-MM-DD')

  const notFound = () => compatibilityNotFound(c.req.path, 'day not found')
  const now = deps.now()
  const query = queryOf(day, now)
  if (!query) return notFound()
  const pairs = GROUPS.map(({ pair }) => pair)
  const groups = printGroups(await readQuotes(c, pairs, query))
  return groups === null ? notFound() : respondDay(c, deps, { day, now, body: `{${groups}}` })
}

/** The day of the path. */
function dayOf(c: Context<EdgeContext>): Day {
  return ['year', 'month', 'day'].map((name) => c.req.param(name)).join('-')
}

/**
 * The query for the end of a day, or for now when it is today. Null when the day does not exist or
 * has not begun.
 */
function queryOf(day: Day, now: Instant): DateQuery | null {
  const query = dateQuery({ date: day }, now)
  return query.ok ? query.value : null
}

function respondDay(
  c: Context<EdgeContext>,
  deps: AppDeps,
  { day, now, body }: { day: Day; now: Instant; body: string },
): Promise<Response> {
  const maxAgeSeconds = maxAgeOfDay(day, now)
  return respondDated(c, deps, { body, contentType: JSON_TYPE, maxAgeSeconds }, now)
}
