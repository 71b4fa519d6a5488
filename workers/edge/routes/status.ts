import { Hono } from '../hono.ts'
import { createStatusReader } from '../../../shared/db/status.ts'
import type { Deps, EdgeContext, AppDeps } from '../context.ts'
import { checkKey } from '../../../shared/api/service.ts'
import { route } from '../http/route.ts'
import { requireKey } from '../middleware/api-key.ts'

/** Freshness per pair, health per source, how deliveries are doing. */
export function statusRoutes({ now }: Pick<Deps, 'now'>) {
  const readStatus = createStatusReader()

  return new Hono<EdgeContext>().get('/api/v2/status', async (c) => {
    const status = await readStatus(c.env, now())

    c.header('Cache-Control', 'public, max-age=10')
    return c.json(status)
  })
}

/**
 * Whether a key works, without saying whose it is. Counts as management (decision 16: the
 * management quota).
 */
export function authCheckRoutes(deps: AppDeps) {
  const app = new Hono<EdgeContext>()
  route(app, checkKey, [requireKey(deps, { management: true })], (c) => c.json({ valid: true }))
  return app
}
