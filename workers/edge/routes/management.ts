import { alertOperations } from '../../../shared/api/alerts.ts'
import { webhookOperations } from '../../../shared/api/webhooks.ts'
import { Hono } from '../hono.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { route } from '../http/route.ts'
import type { OperationName } from './management-operations.ts'
import { requireKey } from '../middleware/api-key.ts'

const OPERATIONS = { webhooks: webhookOperations, alerts: alertOperations }

/**
 * The management of an account's webhooks and alerts, with one quota for both (decision 16: the
 * management quota). Its code is loaded at its first request, so that reads do not pay for it.
 */
export function managementRoutes(deps: AppDeps) {
  const app = new Hono<EdgeContext>()

  for (const plural of ['webhooks', 'alerts'] as const) {
    app.use(`/api/v2/${plural}/*`, requireKey(deps, { management: true }))
    for (const [name, operation] of Object.entries(OPERATIONS[plural]))
      route(app, operation, [], async (c, input) => {
        const { manage } = await import('./management-operations.ts')
        return manage(c, deps, { plural, operation: name as OperationName, input })
      })
  }
  return app
}
