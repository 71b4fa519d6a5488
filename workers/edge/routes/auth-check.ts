import { checkKey } from '../../../shared/api/service.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { Hono } from '../hono.ts'
import { route } from '../http/route.ts'
import { requireKey } from '../middleware/api-key.ts'

/**
 * Whether a key works, without saying whose it is. Counts as management (decision 16: the
 * management quota).
 */
export function authCheckRoutes(deps: AppDeps) {
  const app = new Hono<EdgeContext>()
  route(app, checkKey, [requireKey(deps, { management: true })], (c) => c.json({ valid: true }))
  return app
}
