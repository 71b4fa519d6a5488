import type { Context, MiddlewareHandler } from 'hono'
import { getPath } from 'hono/utils/url'
import { createUnknownKeyLimit } from '../../shared/access/unknown-key-limit.ts'
import { trackFailures } from '../../shared/db/around.ts'
import { inRequest } from '../../shared/log.ts'
import { AnswerMemory } from './answer-memory.ts'
import { BoardMemory } from './board-memory.ts'
import { hasCompatibility, isCompatibilityPath } from './compatibility/addresses.ts'
import { compatibilityCurrent } from './compatibility/current.ts'
import { compatibilityDays } from './compatibility/days.ts'
import { compatibilityHistories } from './compatibility/history.ts'
import type { EdgeContext, EdgeDeps, EdgeEnv } from './context.ts'
import { respondToError, respondToUnknown } from './errors.ts'
import { Hono } from './hono.ts'
import { JSON_TYPE } from './http/answer.ts'
import { mcpRoutes } from './mcp/mcp-routes.ts'
import { cors } from './middleware/cors.ts'
import { limitDateReads, limitedBy } from './middleware/rate-limit.ts'
import { convertRoutes } from './routes/convert.ts'
import { currentPathOf, currentRoutes } from './routes/current.ts'
import { dateRoutes } from './routes/dates.ts'
import { fileRoutes } from './routes/files.ts'
import { historyRoutes } from './routes/history.ts'
import { invoicingRoutes } from './routes/invoicing.ts'
import { managementRoutes } from './routes/management.ts'
import { seriesRoutes } from './routes/series.ts'
import { statusRoutes } from './routes/status.ts'
import { streamRoutes } from './routes/stream.ts'
import type { AppDeps } from './http/route.ts'

/** The edge's request handler: the memory of whole answers, then the app. */
export function createEdge(deps: EdgeDeps) {
  const answers = new AnswerMemory(deps)
  const app = createApp(deps, answers)

  return {
    fetch: (request, env, context) =>
      answers.repeat(request, env, context) ?? app.fetch(request, env, context),
  } satisfies ExportedHandler<EdgeEnv>
}

/**
 * The order matters where patterns overlap: the patterns of histories also match
 * `/api/v2/webhooks/…`, and the pattern of a compatible currency also matches
 * `/v1/cotizaciones/dolares`.
 */
const ROUTES = [
  currentRoutes,
  dateRoutes,
  convertRoutes,
  invoicingRoutes,
  streamRoutes,
  statusRoutes,
  managementRoutes,
  historyRoutes,
  seriesRoutes,
  fileRoutes,
  compatibilityHistories,
  compatibilityDays,
  compatibilityCurrent,
]

/**
 * Adds every route of the public API, and the site's route last. The router checks the catalogue: a
 * request for an unknown pair touches neither KV nor D1.
 */
export function createApp(platform: EdgeDeps, answers = new AnswerMemory(platform)) {
  const deps: AppDeps = {
    ...platform,
    answers,
    board: new BoardMemory(),
    dateRateLimit: limitedBy(limitDateReads(platform)),
    unknownKeys: createUnknownKeyLimit(),
  }
  const toSite = async (c: Context<EdgeContext>) =>
    platform.site(c.req.raw, c.env, c.executionCtx as ExecutionContext)

  const app = new Hono<EdgeContext>({ getPath: routedPath })
  app
    .onError(respondToError)
    .notFound((c) => respondToUnknown(app, c))
    .use((c, next) => inRequest(c.req.raw, next))
    .use(inUtf8)
    .use('/v1/*', (c, next) => (hasCompatibility(c.env.COMPATIBILITY) ? next() : toSite(c)))
    .use('/v2/*', (c, next) => (hasCompatibility(c.env.COMPATIBILITY) ? next() : toSite(c)))
    .use(async (c, next) => {
      const { db: DB, failed } = trackFailures(c.env.DB)
      c.env = { ...c.env, DB }
      c.set('databaseFailed', failed)
      c.set('now', platform.now)
      c.set('parameters', [])
      await next()
    })
    .use((c, next) => (isOfSite(c) ? next() : cors(c, next)))
  for (const add of ROUTES) add(app, deps)
  app.route('/api/mcp', mcpRoutes(deps, app.fetch))
  app.all('*', (c, next) => (isOfSite(c) ? toSite(c) : next()))
  return app
}

/**
 * The path that the router matches. A compatibility address loses its final slash, as at the
 * original services. The path of a current read is put in lower case, unless part of it is
 * percent-encoded.
 */
function routedPath(request: Request): string {
  const path = getPath(request)
  if (isCompatibilityPath(path)) return path.replace(/(?<=.{4})\/$/, '')
  if (currentPathOf(path) === undefined) return path

  const { pathname } = new URL(request.url)
  return currentPathOf(pathname) ?? pathname
}

/** Whether the site answers this path: pages (also `/datos` itself), and accounts under `/api`. */
function isOfSite({ req: { path } }: Context<EdgeContext>): boolean {
  if (path.startsWith('/api/')) return /^\/api\/(account|auth)(\/|$)/.test(path)
  return !path.startsWith('/datos/') && !isCompatibilityPath(path)
}

/** Adds the charset to the content type of JSON. */
const inUtf8: MiddlewareHandler<EdgeContext> = async (c, next) => {
  await next()
  if (c.res.headers.get('Content-Type') === 'application/json') c.header('Content-Type', JSON_TYPE)
}
