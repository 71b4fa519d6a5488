import { Hono } from '../hono.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { requireKey } from '../middleware/api-key.ts'

/**
 * Whether a key works, without saying whose it is. Counts as management (decision 16: the
 * management quota).
 */
export function authCheckRoutes(deps: AppDeps) {
  return new Hono<EdgeContext>().get(
    '/api/v2/auth/check',
    requireKey(deps, { management: true }),
    (c) => c.json({ valid: true }),
  )
}
