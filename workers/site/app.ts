import { Hono, type MiddlewareHandler } from 'hono'
import { canonicalOrigin, publicOrigin } from '../../shared/config/public-origin.ts'
import { trackFailures } from '../../shared/db/around.ts'
import { accountApi } from './account/account-api.ts'
import { accountPages } from './account/account-pages.tsx'
import { githubCallback } from './account/sign-in.tsx'
import { createLimitGuesses } from './account/sign-in-limits.ts'
import { nightlyFileRoutes } from './nightly-files.tsx'
import { badgeRoutes } from './badge.ts'
import { calendarRoutes } from './calendar.tsx'
import type { Deps, SiteContext, SiteEnv } from './context.ts'
import { crawlerRoutes } from './crawlers.ts'
import { createLimitDates, dateRoutes } from './date.tsx'
import { embedRoutes } from './embed.tsx'
import { notFound } from '../../shared/http-error.ts'
import { gapRoutes } from './gaps.tsx'
import { homeRoutes } from './home/home-page.tsx'
import { invoicingRoutes } from './invoicing.tsx'
import { pairRoutes } from './pair/pair-routes.tsx'
import { docsRoutes } from './reference/docs-routes.tsx'
import { renderPages } from './layout.tsx'
import { databaseOutOfReach, respondToError } from './respond-to-error.tsx'
import { securityHeaders } from './security-headers.ts'
import { statusRoutes } from './status.tsx'
import { inRequest } from '../../shared/log.ts'

/** All pages, the account's JSON routes and the return from GitHub. */
export function createApp(deps: Deps) {
  const limitDates = createLimitDates()
  const limitGuesses = createLimitGuesses(deps)
  return new Hono<SiteContext>()
    .onError(respondToError)
    .notFound((c) => respondToError(notFound(), c))
    .use(securityHeaders)
    .use(async (c, next) => {
      const { db: DB, failed } = trackFailures(c.env.DB)
      c.env = { ...c.env, DB }
      c.set('databaseFailed', failed)
      c.set('now', deps.now)
      c.set('origin', publicOrigin(c.req.url, c.env.PUBLIC_ORIGIN))
      c.set('canonicalOrigin', canonicalOrigin(c.req.url, c.env.PUBLIC_ORIGIN))
      await next()
    })
    .use(renderPages)
    .use('/cuenta/*', orOutOfReach)
    .use('/api/account/*', orOutOfReach)
    .use('/api/auth/*', orOutOfReach)
    .route('/', docsRoutes())
    .route('/', homeRoutes())
    .route('/estado', statusRoutes())
    .route('/cuenta', accountPages({ ...deps, limitGuesses }))
    .route('/api/account', accountApi(deps))
    .route('/api/auth', githubCallback({ limitGuesses }))
    .route('/', nightlyFileRoutes())
    .route('/', badgeRoutes())
    .route('/', embedRoutes())
    .route('/', crawlerRoutes())
    .route('/calendario', calendarRoutes())
    .route('/brecha', gapRoutes())
    .route('/facturacion', invoicingRoutes(limitDates))
    .route('/', dateRoutes(limitDates))
    .route('/', pairRoutes())
}

/**
 * Answers 503 when the database failed. The sign-in library would treat an unreadable session as
 * absent, and an unreadable link as expired.
 */
const orOutOfReach: MiddlewareHandler<SiteContext> = async (c, next) => {
  await next()
  if (!c.var.databaseFailed() || c.res.status === 503) return

  c.header('Location', undefined)
  throw databaseOutOfReach()
}

/**
 * The site's request handler, for everything that is not the public API. The app must be evaluated
 * when the Worker starts, not in its first request: the sign-in library then imports a module of
 * the runtime. If a cancelled request had begun this import, every later sign-in would hang.
 */
export function createSite(deps: Deps) {
  const app = createApp(deps)

  return {
    fetch(request: Request, env: SiteEnv, context: ExecutionContext): Promise<Response> {
      return inRequest(request, async () => app.fetch(request, env, context))
    },
  }
}
