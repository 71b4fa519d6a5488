import { Hono } from 'hono'
import type { Deps, EdgeContext } from '../context.ts'
import { requireKey } from '../middleware/api-key.ts'

/** Whether a key works, and nothing about whose it is. Counts as management (decision 16). */
export function authCheckRoutes({ now }: Deps) {
  return new Hono<EdgeContext>().get(
    '/api/v2/auth/check',
    requireKey({ now }, { management: true }),
    (c) => c.json({ valid: true }),
  )
}
