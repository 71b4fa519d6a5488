/** The peers' addresses about the past: of a day from the database, of all days from the files. */
import type { Context, MiddlewareHandler } from 'hono'
import { Hono } from '../hono.ts'
import { argentineDay, type Day, dayEnd, isDay } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { QuotedPoint } from '../../../shared/market/quoted-point.ts'
import { dollarOfDay } from '../../../shared/peers/argentinadatos.ts'
import { casasOn } from '../../../shared/peers/casas.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { maxAgeOfDay, respondCacheable } from '../http/cacheable.ts'
import { GROUPS, printGroups } from './bluelytics.ts'
import { type PeerList, respondHistory } from './history.ts'
import { evolution } from './evolution.ts'
import { DOLLAR_LISTS, DOLLARS, INDEX_LISTS } from './lists.ts'
import { notFoundAtPeer } from './not-found.ts'
import { asPeerJson, toPeerJson } from './peer-json.ts'

const DAY = ':year{[0-9]{4}}/:month{[0-9]{2}}/:day{[0-9]{2}}'
const DOLLARS_PATH = '/v1/cotizaciones/dolares'

export function peerRoutes(deps: AppDeps) {
  const { dateRateLimit: limited } = deps
  const whole = (list: PeerList) => async (c: Context<EdgeContext>) =>
    (await respondHistory(c, deps, list)) ?? notFoundAtPeer(c.req.path)

  return new Hono<EdgeContext>()
    .use('/v1/*', inUtf8)
    .use('/v2/*', inUtf8)
    .get(DOLLARS_PATH, whole(DOLLARS))
    .get(`${DOLLARS_PATH}/${DAY}`, limited, (c) => dollarsOfDay(c, deps))
    .get(`${DOLLARS_PATH}/:casa/${DAY}`, limited, (c) => dollarsOfDay(c, deps, c.req.param('casa')))
    .get(`${DOLLARS_PATH}/:casa`, (c) => {
      const list = DOLLAR_LISTS.get(c.req.param('casa'))
      return list ? whole(list)(c) : notFoundAtPeer(c.req.path)
    })
    .get('/v1/finanzas/indices/riesgo-pais', whole(INDEX_LISTS['riesgo-pais']))
    .get('/v1/finanzas/indices/uva', whole(INDEX_LISTS.uva))
    .get('/v2/historical', limited, (c) => groupsOfDay(c, deps))
    .get('/v2/evolution.json', (c) => evolution(c, deps))
}

/** Errors included. */
const inUtf8: MiddlewareHandler<EdgeContext> = async (c, next) => {
  await next()
  c.res = asPeerJson(c.res)
}

/** ArgentinaDatos: the dollars of a day in its order, or one of them. */
async function dollarsOfDay(
  c: Context<EdgeContext>,
  deps: AppDeps,
  only?: string,
): Promise<Response> {
  const day = ['year', 'month', 'day'].map((name) => c.req.param(name)).join('-')
  const casas = casasOn(day).filter(({ casa }) => only === undefined || casa === only)
  if (casas.length === 0 || !isPast(day, deps)) return notFoundAtPeer(c.req.path)

  const values = await valuesOf(
    c,
    deps,
    casas.map(({ pair }) => pair),
    day,
  )
  const rows = casas.flatMap(({ casa }, index) => {
    const value = values[index]
    return value ? [dollarOfDay(casa, day, value.buy, value.sell)] : []
  })
  if (rows.length === 0) return notFoundAtPeer(c.req.path)
  return respondDay(c, deps, day, toPeerJson(only === undefined ? rows : rows[0]))
}

/** Bluelytics: its groups on a day; ours has weekends and holidays too. */
async function groupsOfDay(c: Context<EdgeContext>, deps: AppDeps): Promise<Response> {
  const day = c.req.query('day') ?? ''
  if (!isDay(day)) return notFoundAtPeer(c.req.path, 'parsing day parameter: use YYYY-MM-DD')

  const values = isPast(day, deps)
    ? await valuesOf(
        c,
        deps,
        GROUPS.map(({ pair }) => pair),
        day,
      )
    : []
  const groups = printGroups(values)
  if (groups === null) return notFoundAtPeer(c.req.path, 'day not found')
  return respondDay(c, deps, day, `{${groups}}`)
}

/** Whether a day exists and has begun. */
function isPast(day: Day, { now }: AppDeps): boolean {
  return isDay(day) && day <= argentineDay(now())
}

/** The values in effect at the end of a day; today, of now. */
function valuesOf(
  c: Context<EdgeContext>,
  { now, past }: AppDeps,
  pairs: readonly Pair[],
  day: Day,
): Promise<(QuotedPoint | null)[]> {
  const at = now()
  const closed = day < argentineDay(at)
  return past.quotesAsOf(c, pairs, { day, effectiveAt: Math.min(dayEnd(day), at), closed })
}

function respondDay(c: Context<EdgeContext>, { now }: AppDeps, day: Day, body: string): Response {
  return respondCacheable(c.req.raw, {
    body,
    contentType: 'application/json',
    maxAgeSeconds: maxAgeOfDay(day, now()),
  })
}
