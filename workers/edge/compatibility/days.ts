/** What the peers answer of one day: a closed one from the nightly file, others as date reads are. */
import type { Context } from 'hono'
import { argentineDay, type Day, dayEnd, isDay } from '../../../shared/argentine-time.ts'
import { type Currency, findPair, type Pair } from '../../../shared/market/catalog.ts'
import { type Price, priceToNumber } from '../../../shared/market/price.ts'
import { dollarOfDay } from '../../../shared/peers/argentinadatos.ts'
import { casasOn } from '../../../shared/peers/casas.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { maxAgeOfDay, respondCacheable } from '../http/cacheable.ts'
import { GROUPS, printGroups } from './bluelytics.ts'
import { MONEDAS } from './dolarapi.ts'
import type { NightlyDays } from './nightly-days.ts'
import { notFoundAtPeer } from './not-found.ts'
import { toPeerJson } from './peer-json.ts'

type Deps = AppDeps & { nightly: NightlyDays }

/** ArgentinaDatos: the dollars of a day in its order, or one of them. */
export async function dollarsOfDay(
  c: Context<EdgeContext>,
  deps: Deps,
  only?: string,
): Promise<Response> {
  const day = dayOf(c)
  const casas = casasOn(day).filter(({ casa }) => only === undefined || casa === only)
  if (casas.length === 0 || !isPast(day, deps)) return notFoundAtPeer(c.req.path)

  const pairs = casas.map(({ pair }) => pair)
  const values = await valuesOf(c, deps, pairs, day)
  const rows = casas.flatMap(({ casa }, index) => {
    const value = values[index]
    return value ? [dollarOfDay(casa, day, value.buy, value.sell)] : []
  })
  if (rows.length === 0) return notFoundAtPeer(c.req.path)
  return respondDay(c, deps, day, toPeerJson(only === undefined ? rows : rows[0]))
}

/** The peer's files of the days before have no `casa`. */
const CASA_SINCE: Day = '2024-01-20'

/** ArgentinaDatos: a currency of DolarApi's on a day. */
export async function currencyOfDay(
  c: Context<EdgeContext>,
  deps: Deps,
  asked: string,
): Promise<Response> {
  const day = dayOf(c)
  const moneda = MONEDAS.find(([code]) => code.toLowerCase() === asked)?.[0]
  if (!moneda || !isPast(day, deps)) return notFoundAtPeer(c.req.path)

  const [value] = await valuesOf(c, deps, [officialOf(moneda)], day)
  if (!value) return notFoundAtPeer(c.req.path)
  const row = {
    moneda,
    ...(day >= CASA_SINCE && { casa: 'oficial' }),
    compra: priceToNumber(value.buy),
    venta: priceToNumber(value.sell),
    fecha: day,
  }
  return respondDay(c, deps, day, toPeerJson(row))
}

/** Bluelytics: its groups on a day; ours has weekends and holidays too. */
export async function groupsOfDay(c: Context<EdgeContext>, deps: Deps): Promise<Response> {
  const day = c.req.query('day') ?? ''
  if (!isDay(day)) return notFoundAtPeer(c.req.path, 'parsing day parameter: use YYYY-MM-DD')

  const pairs = GROUPS.map(({ pair }) => pair)
  const groups = printGroups(isPast(day, deps) ? await valuesOf(c, deps, pairs, day) : [])
  if (groups === null) return notFoundAtPeer(c.req.path, 'day not found')
  return respondDay(c, deps, day, `{${groups}}`)
}

/** As the path has it. */
function dayOf(c: Context<EdgeContext>): Day {
  return ['year', 'month', 'day'].map((name) => c.req.param(name)).join('-')
}

function officialOf(moneda: Currency): Pair {
  return findPair(moneda, 'OFICIAL')!
}

/** Whether a day exists and has begun. */
function isPast(day: Day, { now }: Deps): boolean {
  return isDay(day) && day <= argentineDay(now())
}

/** The values in effect at the end of a day; today, of now. */
async function valuesOf(
  c: Context<EdgeContext>,
  { now, past, nightly, board }: Deps,
  pairs: readonly Pair[],
  day: Day,
): Promise<({ buy: Price; sell: Price } | null)[]> {
  const at = now()
  const closed = day < argentineDay(at)
  if (closed) {
    const read = await board.read(c.env, c.executionCtx as ExecutionContext, now)
    const closes = await nightly.closesOn(c, { day, pairs, board: read?.board }, now)
    if (closes) return closes
  }
  return past.quotesAsOf(c, pairs, { day, effectiveAt: Math.min(dayEnd(day), at), closed })
}

function respondDay(c: Context<EdgeContext>, { now }: Deps, day: Day, body: string): Response {
  return respondCacheable(c.req.raw, {
    body,
    contentType: 'application/json',
    maxAgeSeconds: maxAgeOfDay(day, now()),
  })
}
