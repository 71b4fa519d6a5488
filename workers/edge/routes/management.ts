import { Hono } from '../hono.ts'
import { UUID_PATTERN } from '../../../shared/uuid.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import type { Operation } from '../management/operations.ts'
import { requireKey } from '../middleware/api-key.ts'

/** Other ids cannot exist, so they are not looked up. */
const ONE = `/:id{${UUID_PATTERN}}`

/** The operations of a kind, below its address. */
const ROUTES = {
  list: ['GET', ''],
  create: ['POST', ''],
  deliveries: ['GET', '/deliveries'],
  redeliver: ['POST', `/deliveries/:deliveryId{${UUID_PATTERN}}/redeliver`],
  read: ['GET', ONE],
  edit: ['PATCH', ONE],
  remove: ['DELETE', ONE],
  rotate: ['POST', `${ONE}/rotate-secret`],
  test: ['POST', `${ONE}/test`],
  redeliverSince: ['POST', `${ONE}/redeliver`],
} as const satisfies Record<Operation, readonly [method: string, path: string]>

/**
 * The management of an account's webhooks and alerts, with one quota for both (decision 16: the
 * management quota). Its code is loaded at its first request, so that reads do not pay for it.
 */
export function managementRoutes(deps: AppDeps) {
  const app = new Hono<EdgeContext>()

  for (const plural of ['webhooks', 'alerts'] as const) {
    const all = `/api/v2/${plural}`
    app.use(`${all}/*`, requireKey(deps, { management: true }))
    for (const [name, [method, path]] of Object.entries(ROUTES))
      app.on(method, all + path, async (c) => {
        const { manage } = await import('../management/operations.ts')
        return manage(c, deps, { plural, operation: name as Operation })
      })
  }
  return app
}
