import { Hono } from './hono.ts'
import { watchDatabase } from '../../shared/db/watch.ts'
import { notFound } from '../../shared/http-error.ts'
import { createUnknownKeyLimit } from '../../shared/access/unknown-key-limit.ts'
import { compatibilityNotFound } from './compatibility/not-found.ts'
import { isCompatibilityPath } from './compatibility/switch.ts'
import { archiveRoutes } from './routes/archive.ts'
import { compatibilityRoutes } from './compatibility/routes.ts'
import type { AppDeps, Deps, EdgeContext, EdgeHandler } from './context.ts'
import { respondToError } from './errors.ts'
import { cors } from './middleware/cors.ts'
import { type Memory, openMemory } from './memory.ts'
import { limitedBy } from './middleware/date-rate-limit.ts'
import { methodNotAllowed } from './middleware/method-not-allowed.ts'
import { mcpRoutes } from './mcp/mcp-routes.ts'
import { historyRoutes } from './routes/history.ts'
import { managementRoutes } from './routes/management.ts'
import { authCheckRoutes, statusRoutes } from './routes/status.ts'
import { streamRoutes } from './routes/stream.ts'
import { dateRoutes } from './routes/dates.ts'
import { convertRoutes } from './extensions/convert.ts'
import { invoicingRoutes } from './extensions/invoicing.ts'
import { seriesRoutes } from './extensions/series.ts'

/**
 * Everything of the public API beyond the hot current reads, in the order it runs. The tools of MCP
 * ask `edge`, which has those too.
 */
export function createApp(
  platform: Deps,
  memory: Memory = openMemory(platform),
  edge?: EdgeHandler,
) {
  const deps: AppDeps = {
    ...platform,
    ...memory,
    dateRateLimit: limitedBy(memory.countDateRead),
    unknownKeys: createUnknownKeyLimit(),
  }
  const app = new Hono<EdgeContext>()
    .onError(respondToError)
    .use(cors)
    .use(async (c, next) => {
      const { db: DB, failed } = watchDatabase(c.env.DB)
      c.env = { ...c.env, DB }
      c.set('databaseFailed', failed)
      c.set('now', deps.now)
      await next()
    })
    .route('/', statusRoutes(deps))
    .route('/', streamRoutes())
    .route('/', dateRoutes(deps))
    .route('/', managementRoutes(deps))
    .route('/', authCheckRoutes(deps))
    .route('/', invoicingRoutes(deps))
    .route('/', convertRoutes(deps))
    .route('/', seriesRoutes(deps))
    .route('/', compatibilityRoutes(deps))
    .route('/', archiveRoutes())
    .route('/', historyRoutes(deps))

  app.route('/api/mcp', mcpRoutes(deps, edge ?? app.fetch))

  return app.notFound((c) =>
    // Compatibility paths come here only with the switch on.
    isCompatibilityPath(c.req.path)
      ? compatibilityNotFound(c.req.path)
      : respondToError(methodNotAllowed(app, c.req.method, c.req.path) ?? notFound(), c),
  )
}
