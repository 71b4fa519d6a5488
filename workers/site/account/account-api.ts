import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { formatUtc } from '../../../shared/argentine-time.ts'
import { KEY_LIMIT, listKeys } from '../../../shared/db/accounts.ts'
import { methodNotAllowed } from '../../../shared/http-error.ts'
import type { AccountContext, Deps } from '../context.ts'
import { ACTIONS, presentKey } from './actions.tsx'
import { apiHeaders, BODY_LIMIT, sameOriginOnly } from './guards.ts'
import { signedInApi } from './session.tsx'

interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  call: (c: Context<AccountContext>, deps: Deps) => Response | Promise<Response>
}

const ROUTES: Route[] = [
  {
    method: 'GET',
    path: '/',
    call(c) {
      const { email, accountCreatedAt } = c.var.signedIn
      return c.json({ account: { email, createdAt: formatUtc(accountCreatedAt) } })
    },
  },
  {
    method: 'GET',
    path: '/keys',
    async call(c) {
      const keys = await listKeys(c.env.DB, c.var.signedIn.accountId)
      return c.json({ keys: keys.map(presentKey), limit: KEY_LIMIT })
    },
  },
  ...ACTIONS.flatMap(({ json, call }) => (json ? [{ method: json[0], path: json[1], call }] : [])),
]

/** `/api/account`: what the pages show and do, as JSON for the same session. */
export function accountApi(deps: Deps) {
  const app = new Hono<AccountContext>().use(apiHeaders)
  for (const { path } of ROUTES) app.use(path, methodsOf(path))
  app.use(sameOriginOnly, signedInApi, BODY_LIMIT)
  for (const { method, path, call } of ROUTES) app.on(method, path, (c) => call(c, deps))
  return app
}

/** Answers 405 to the methods that a path does not have. */
function methodsOf(path: string): MiddlewareHandler {
  const allowed = ROUTES.filter((route) => route.path === path).flatMap(({ method }) =>
    method === 'GET' ? ['GET', 'HEAD'] : [method],
  )
  return async (c, next) => {
    if (!allowed.includes(c.req.method)) throw methodNotAllowed(allowed)
    await next()
  }
}
