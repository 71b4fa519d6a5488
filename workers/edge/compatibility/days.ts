/** The compatibility addresses of one day: closed days from the nightly file, others as date reads. */
import type { Context } from 'hono'
import { type Day, isDay } from '../../../shared/argentine-time.ts'
import { type Currency, findPair, type Pair } from '../../../shared/market/catalog.ts'
import { type DateQuery, parseDateQuery } from '../../../shared/market/date-query.ts'
import { type Price, priceToNumber } from '../../../shared/market/price.ts'
import { dollarOfDay } from '../../../shared/compatibility/argentinadatos.ts'
import { casasOn } from '../../../shared/compatibility/casas.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { maxAgeOfDay } from '../http/cacheable.ts'
import { respondPast } from '../past/respond-past.ts'
import { GROUPS, printGroups } from './bluelytics.ts'
import { MONEDAS } from './dolarapi.ts'
import type { NightlyDays } from './nightly-days.ts'
import { compatibilityNotFound } from './not-found.ts'
import { COMPATIBILITY_JSON_TYPE, printCompatibilityJson } from './print-json.ts'

type Deps = AppDeps & { nightly: NightlyDays }

/** ArgentinaDatos: the dollars of a day in its order, or a single one. */
export async function dollarsOfDay(
  c: Context<EdgeContext>,
  deps: Deps,
  only?: string,
): Promise<Response> {
  const day = dayOf(c)
  const casas = casasOn(day).filter(({ casa }) => only === undefined || casa === only)
  const query = queryOf(day, deps)
  if (casas.length === 0 || !query) return compatibilityNotFound(c.req.path)

  const pairs = casas.map(({ pair }) => pair)
  const { values, revision } = await closesOf(c, deps, pairs, query)
  const rows = casas.flatMap(({ casa }, index) => {
    const value = values[index]
    return value ? [dollarOfDay(casa, day, value.buy, value.sell)] : []
  })
  if (rows.length === 0) return compatibilityNotFound(c.req.path)
  const body = printCompatibilityJson(only === undefined ? rows : rows[0])
  return respondDay(c, deps, { day, revision, body })
}

/** ArgentinaDatos has no `casa` in its files of earlier days. */
const CASA_SINCE: Day = '2024-01-20'

/** ArgentinaDatos: one of DolarApi's currencies on a day. */
export async function currencyOfDay(
  c: Context<EdgeContext>,
  deps: Deps,
  wanted: string,
): Promise<Response> {
  const day = dayOf(c)
  const moneda = MONEDAS.find(([code]) => code.toLowerCase() === wanted)?.[0]
  const query = queryOf(day, deps)
  if (!moneda || !query) return compatibilityNotFound(c.req.path)

  const { values, revision } = await closesOf(c, deps, [officialOf(moneda)], query)
  const [value] = values
  if (!value) return compatibilityNotFound(c.req.path)
  const row = {
    moneda,
    ...(day >= CASA_SINCE && { casa: 'oficial' }),
    compra: priceToNumber(value.buy),
    venta: priceToNumber(value.sell),
    fecha: day,
  }
  return respondDay(c, deps, { day, revision, body: printCompatibilityJson(row) })
}

/** Bluelytics: its groups on a day. Ours includes weekends and holidays. */
export async function groupsOfDay(c: Context<EdgeContext>, deps: Deps): Promise<Response> {
  const day = c.req.query('day') ?? ''
  if (!isDay(day)) return compatibilityNotFound(c.req.path, 'parsing day parameter: use YYYY-MM-DD')

  const notFound = () => compatibilityNotFound(c.req.path, 'day not found')
  const query = queryOf(day, deps)
  if (!query) return notFound()
  const pairs = GROUPS.map(({ pair }) => pair)
  const { values, revision } = await closesOf(c, deps, pairs, query)
  const groups = printGroups(values)
  return groups === null ? notFound() : respondDay(c, deps, { day, revision, body: `{${groups}}` })
}

/** The day of the path. */
function dayOf(c: Context<EdgeContext>): Day {
  return ['year', 'month', 'day'].map((name) => c.req.param(name)).join('-')
}

function officialOf(moneda: Currency): Pair {
  return findPair(moneda, 'OFICIAL')!
}

/**
 * The query for the end of a day, or for now when it is today. Null when the day does not exist or
 * has not begun.
 */
function queryOf(day: Day, { now }: Deps): DateQuery | null {
  const query = parseDateQuery({ date: day, time: null, maxAge: null }, now())
  return query.ok ? query.value : null
}

interface Closes {
  /** In the order of the pairs. */
  values: readonly ({ buy: Price; sell: Price } | null)[]
  /** The revision of the past that they belong to, for `respondPast`. */
  revision: number | null
}

async function closesOf(
  c: Context<EdgeContext>,
  { now, past, nightly, board }: Deps,
  pairs: readonly Pair[],
  query: DateQuery,
): Promise<Closes> {
  if (query.closed) {
    const read = await board.read(c.env, c.executionCtx as ExecutionContext, now)
    const values = await nightly.closesOn(c, { day: query.day, pairs, board: read?.board }, now)
    if (values) return { values, revision: read?.board.historyRevision ?? null }
  }
  const { quotes: values, revision } = await past.quotesAsOf(c, pairs, query)
  return { values, revision }
}

function respondDay(
  c: Context<EdgeContext>,
  deps: Deps,
  { day, revision, body }: { day: Day; revision: number | null; body: string },
): Response {
  const maxAgeSeconds = maxAgeOfDay(day, deps.now())
  return respondPast(
    c,
    deps,
    { body, contentType: COMPATIBILITY_JSON_TYPE, maxAgeSeconds },
    revision,
  )
}
