/** The compatibility addresses about the past: one day, and all days from the nightly files. */
import type { Context } from 'hono'
import { Hono } from '../hono.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { limitedBy } from '../middleware/date-rate-limit.ts'
import { currencyOfDay, dollarsOfDay, groupsOfDay } from './days.ts'
import { evolution, evolutionCsv } from './evolution.ts'
import { type HistoryList, respondHistory } from './history.ts'
import { DOLLAR_LISTS, DOLLARS, INDEX_LISTS } from './lists.ts'
import { compatibilityNotFound } from './not-found.ts'

const DAY = ':year{[0-9]{4}}/:month{[0-9]{2}}/:day{[0-9]{2}}'
const CURRENCIES_PATH = '/v1/cotizaciones'
const DOLLARS_PATH = `${CURRENCIES_PATH}/dolares`

export function compatibilityRoutes(deps: AppDeps) {
  const limited = limitedBy(deps.countCompatibilityDay)
  const whole = (list: HistoryList) => async (c: Context<EdgeContext>) =>
    (await respondHistory(c, deps, list)) ?? compatibilityNotFound(c.req.path)

  return new Hono<EdgeContext>()
    .get(DOLLARS_PATH, whole(DOLLARS))
    .get(`${DOLLARS_PATH}/${DAY}`, limited, (c) => dollarsOfDay(c, deps))
    .get(`${DOLLARS_PATH}/:casa/${DAY}`, limited, (c) => dollarsOfDay(c, deps, c.req.param('casa')))
    .get(`${DOLLARS_PATH}/:casa`, (c) => {
      const list = DOLLAR_LISTS.get(c.req.param('casa'))
      return list ? whole(list)(c) : compatibilityNotFound(c.req.path)
    })
    .get(`${CURRENCIES_PATH}/:moneda/${DAY}`, limited, (c) =>
      currencyOfDay(c, deps, c.req.param('moneda')),
    )
    .get('/v1/finanzas/indices/riesgo-pais', whole(INDEX_LISTS['riesgo-pais']))
    .get('/v1/finanzas/indices/uva', whole(INDEX_LISTS.uva))
    .get('/v2/historical', limited, (c) => groupsOfDay(c, deps))
    .get('/v2/evolution.json', evolution(deps))
    .get('/v2/evolution.csv', evolutionCsv(deps))
}
