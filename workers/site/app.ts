import { Hono } from 'hono'
import { openDatabase } from '../../shared/db/database.ts'
import { accountApi } from './account/account-api.ts'
import { accountPages } from './account/account-pages.tsx'
import { githubCallback } from './account/github.ts'
import type { Deps, SiteContext } from './context.ts'
import { notFound } from './errors.ts'
import { publicOrigin } from './public-origin.ts'
import { documentRoutes } from './reference/document-routes.ts'
import { respondToError } from './respond-to-error.tsx'
import { securityHeaders } from './security-headers.ts'

const pages = securityHeaders()
/** Where GitHub is configured, the sign-in form ends there. */
const pagesWithGithub = securityHeaders({ formTargets: ['https://github.com'] })

/** All pages, the account's JSON routes and the return from GitHub. */
export function createApp(deps: Deps) {
  return new Hono<SiteContext>()
    .onError(respondToError)
    .notFound((c) => respondToError(notFound(), c))
    .use((c, next) => (c.env.GITHUB_CLIENT_ID ? pagesWithGithub : pages)(c, next))
    .use(async (c, next) => {
      c.set('db', openDatabase(c.env.DB))
      c.set('origin', publicOrigin(c.req.url, c.env.PUBLIC_HOSTS))
      await next()
    })
    .route('/', documentRoutes())
    .route('/cuenta', accountPages(deps))
    .route('/api/account', accountApi(deps))
    .route('/api/auth', githubCallback(deps))
}
