import { createStatusReader } from '../../../shared/db/status.ts'
import { checkKey, readStatus as operation } from '../../../shared/api/service.ts'
import { type App, type AppDeps, route } from '../http/route.ts'
import { requireKey } from '../middleware/api-key.ts'

/**
 * Freshness per pair, health per source, how deliveries are doing; and whether a key works, without
 * saying whose it is, which counts as management (decision 16: the management quota).
 */
export function statusRoutes(app: App, deps: AppDeps): void {
  const readStatus = createStatusReader()

  route(app, operation, [], async (c) => {
    c.header('Cache-Control', 'public, max-age=10')
    return c.json(await readStatus(c.env, deps.now()))
  })
  route(app, checkKey, [requireKey(deps, { management: true })], (c) => c.json({ valid: true }))
}
