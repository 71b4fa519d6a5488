import type { Context } from 'hono'
import { Hono } from '../hono.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { orThrow } from '../../../shared/or-throw.ts'
import { unavailable } from '../errors.ts'
import { requireKey } from '../middleware/api-key.ts'
import { MANAGED, MANAGED_ROUTES } from '../../../shared/managed-routes.ts'

/** Seconds that a client should wait when the site does not respond. */
const RETRY_SECONDS = 10

/**
 * The management of an account's webhooks and alerts, with one quota for both (decision 16: the
 * management quota). The gate is here and the rest in the site, so that the edge does not load its
 * code.
 */
export function managementRoutes(deps: AppDeps) {
  const manage = (c: Context<EdgeContext>) =>
    // It handles its own errors, so only the call itself rejects.
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
