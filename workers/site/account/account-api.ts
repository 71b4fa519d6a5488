import { type Context, Hono } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { formatUtc } from '../../../shared/argentine-time.ts'
import { KEY_LIMIT, listKeys } from '../../../shared/db/accounts.ts'
import { methodNotAllowed as refusedMethod } from '../../../shared/http-error.ts'
import type { AccountContext, Deps } from '../context.ts'
import { ACTIONS, presentKey } from './actions.tsx'
import { apiHeaders, BODY_LIMIT, sameOriginOnly } from './guards.ts'
import { signedInApi } from './session.tsx'

/** `/api/account`: the data and actions of the account pages as JSON, for the same session. */
export function accountApi(deps: Deps) {
  const app = new Hono<AccountContext>()
  app
    .use(apiHeaders, methodNotAllowed({ app, onMethodNotAllowed }))
    .use(sameOriginOnly, signedInApi, BODY_LIMIT)
    .get('/', (c) => {
      const { email, accountCreatedAt } = c.var.signedIn
      return c.json({ account: { email, createdAt: formatUtc(accountCreatedAt) } })
    })
    .get('/keys', async (c) => {
      const keys = await listKeys(c.env.DB, c.var.signedIn.accountId)
      return c.json({ keys: keys.map(presentKey), limit: KEY_LIMIT })
    })
  for (const { json, call } of ACTIONS) if (json) app.on(json[0], json[1], (c) => call(c, deps))
  return app
}

function onMethodNotAllowed(_: Context, methods: string[]): never {
  throw refusedMethod(methods)
}
