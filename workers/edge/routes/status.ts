import { createStatusReader } from '../../../shared/db/status.ts'
import { checkKey, readReadiness, readStatus as operation } from '../../../shared/api/service.ts'
import { unavailable } from '../../../shared/http-error.ts'
import { NOT_READY } from '../../../shared/sentences.ts'
import { type App, type AppDeps, route } from '../http/route.ts'
import { requireKey } from '../middleware/api-key.ts'

/**
 * The status (freshness per pair, health per source, deliveries), readiness as a status code, and
 * whether a key works. The key check counts as management (decision 16: the management quota).
 */
export function statusRoutes(app: App, deps: AppDeps): void {
  const readStatus = createStatusReader()

  route(app, operation, [], async (c) => {
    c.header('Cache-Control', 'public, max-age=10')
    return c.json(await readStatus(c.env, deps.now()))
  })
  route(app, readReadiness, [], async (c) => {
    c.header('Cache-Control', 'no-store')
    if ((await readStatus(c.env, deps.now())).status === 'down') throw unavailable(NOT_READY, 10)
    return c.json({ ready: true })
  })
  route(app, checkKey, [requireKey(deps, { management: true })], (c) => c.json({ valid: true }))
}
