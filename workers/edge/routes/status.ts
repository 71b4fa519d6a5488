import { createStatusReader } from '../../../shared/db/status.ts'
import { checkKey, readReadiness, readStatus as operation } from '../../../shared/api/service.ts'
import { readMode } from '../../../shared/db/quotes/service-mode.ts'
import { unavailable } from '../../../shared/http-error.ts'
import { describeFailure } from '../../../shared/log.ts'
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
    const { status } = await readStatus(c.env, deps.now())
    if (status === 'down' || !(await hasTables(c.env.DB))) throw unavailable(NOT_READY, 10)
    return c.json({ ready: true })
  })
  route(app, checkKey, [requireKey(deps, { management: true })], (c) => c.json({ valid: true }))
}

/** False before the migrations; true without the database, because the board can be served. */
function hasTables(db: D1Database): Promise<boolean> {
  return readMode(db).then(
    () => true,
    (error: unknown) => describeFailure(error).kind !== 'schema',
  )
}
