import type { Context } from 'hono'
import { Hono } from '../hono.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { orThrow } from '../../../shared/or-throw.ts'
import { unavailable } from '../errors.ts'
import { requireKey } from '../middleware/api-key.ts'
import { MANAGED, MANAGED_ROUTES } from '../../../shared/managed-routes.ts'

/** How long a client should wait when the site does not answer, in seconds. */
const RETRY_SECONDS = 10

/**
 * The management of an account's webhooks and alerts, which counts as one (decision 16: the
 * management quota). The gate stands here; what is behind it answers elsewhere, so that reads do
 * not start with its code.
 */
export function managementRoutes(deps: AppDeps) {
  const manage = (c: Context<EdgeContext>) =>
    // It answers its own errors: what rejects is the call.
    orThrow(
      deps.manage(c.req.raw, c.var.account.accountId, c.env, c.executionCtx as ExecutionContext),
      'management_failed',
      () => unavailable('La gestión no está disponible en este momento', RETRY_SECONDS),
    )
  const app = new Hono<EdgeContext>()

  for (const plural of MANAGED) {
    const all = `/api/v2/${plural}`
    app.use(`${all}/*`, requireKey(deps, { management: true }))
    for (const [method, path] of Object.values(MANAGED_ROUTES)) app.on(method, all + path, manage)
  }
  return app
}
