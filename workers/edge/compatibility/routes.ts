/** The compatibility addresses about the past: one day, and all days from the nightly files. */
import type { Context } from 'hono'
import { past } from '../../../shared/api/compatibility.ts'
import { Hono } from '../hono.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { HttpError, respondToError } from '../errors.ts'
import { route } from '../http/route.ts'
import { limitedBy } from '../middleware/date-rate-limit.ts'
import { currencyOfDay, dollarsOfDay, groupsOfDay } from './days.ts'
import { evolution, evolutionCsv } from './evolution.ts'
import { type HistoryList, respondHistory } from './history.ts'
import { DOLLAR_LISTS, DOLLARS, INDEX_LISTS } from './lists.ts'
import { compatibilityNotFound } from './not-found.ts'

export function compatibilityRoutes(deps: AppDeps) {
  const limited = [limitedBy(deps.countCompatibilityDay)]
  const whole = async (c: Context<EdgeContext>, list: HistoryList) =>
    (await respondHistory(c, deps, list)) ?? compatibilityNotFound(c.req.path)

  const app = new Hono<EdgeContext>().onError((error, c) =>
    error instanceof HttpError && error.status === 404
      ? compatibilityNotFound(c.req.path)
      : respondToError(error, c),
  )
  route(app, past.dollars, [], (c) => whole(c, DOLLARS))
  route(app, past.dollarsOfDay, limited, (c) => dollarsOfDay(c, deps))
  route(app, past.dollarOfDay, limited, (c) => dollarsOfDay(c, deps, c.req.param('casa')))
  route(app, past.dollar, [], (c) => whole(c, DOLLAR_LISTS.get(c.req.param('casa')!)!))
  route(app, past.currencyOfDay, limited, (c) => currencyOfDay(c, deps, c.req.param('moneda')!))
  for (const index of ['riesgo-pais', 'uva'] as const)
    route(app, past[index], [], (c) => whole(c, INDEX_LISTS[index]))
  route(app, past.groupsOfDay, limited, (c) => groupsOfDay(c, deps))
  route(app, past.evolution, [], evolution(deps))
  route(app, past.evolutionCsv, [], evolutionCsv(deps))
  return app
}
