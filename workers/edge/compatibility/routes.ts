/** The compatibility addresses: about now, about one day, and all days from the nightly files. */
import { past } from '../../../shared/api/compatibility.ts'
import { type App, type AppDeps, route } from '../http/route.ts'
import { countCompatibilityDays, limitedBy } from '../middleware/rate-limit.ts'
import { currentReads } from './current.ts'
import { currencyOfDay, dollarsOfDay, groupsOfDay } from './days.ts'
import {
  respondEvolution,
  respondHistory,
  DOLLAR_LISTS,
  DOLLARS,
  EVOLUTION_CSV_LIST,
  EVOLUTION_LIST,
  INDEX_LISTS,
} from './history.ts'

export function compatibilityRoutes(app: App, deps: AppDeps): void {
  const limited = [limitedBy(countCompatibilityDays(deps))]

  currentReads(app, deps)
  route(app, past.dollars, [], (c) => respondHistory(c, deps, DOLLARS))
  route(app, past.dollarsOfDay, limited, (c) => dollarsOfDay(c, deps))
  route(app, past.dollarOfDay, limited, (c) => dollarsOfDay(c, deps, c.req.param('casa')))
  route(app, past.dollar, [], (c) =>
    respondHistory(c, deps, DOLLAR_LISTS.get(c.req.param('casa')!)!),
  )
  route(app, past.currencyOfDay, limited, (c) => currencyOfDay(c, deps, c.req.param('moneda')!))
  for (const index of ['riesgo-pais', 'uva'] as const)
    route(app, past[index], [], (c) => respondHistory(c, deps, INDEX_LISTS[index]))
  route(app, past.groupsOfDay, limited, (c) => groupsOfDay(c, deps))
  route(app, past.evolution, [], (c) => respondEvolution(c, deps, EVOLUTION_LIST))
  route(app, past.evolutionCsv, [], (c) => respondEvolution(c, deps, EVOLUTION_CSV_LIST))
}
