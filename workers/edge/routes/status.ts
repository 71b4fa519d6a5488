import { Hono } from '../hono.ts'
import { createStatusReader } from '../../../shared/db/status.ts'
import type { Deps, EdgeContext, AppDeps } from '../context.ts'
import { checkKey, readStatus as operation } from '../../../shared/api/service.ts'
import { route } from '../http/route.ts'
import { requireKey } from '../middleware/api-key.ts'

/** Freshness per pair, health per source, how deliveries are doing. */
export function statusRoutes({ now }: Pick<Deps, 'now'>) {
  const readStatus = createStatusReader()

  const app = new Hono<EdgeContext>()
  route(app, operation, [], async (c) => {
    c.header('Cache-Control', 'public, max-age=10')
    return c.json(await readStatus(c.env, now()))
  })
  return app
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
