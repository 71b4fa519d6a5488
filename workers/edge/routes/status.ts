import { Hono } from '../hono.ts'
import { createStatusReader } from '../../../shared/db/status.ts'
import type { Deps, EdgeContext } from '../context.ts'

/** Freshness per pair, health per source, how deliveries are doing. */
export function statusRoutes({ now }: Pick<Deps, 'now'>) {
  const readStatus = createStatusReader()

  return new Hono<EdgeContext>().get('/api/v2/status', async (c) => {
    const status = await readStatus(c.env, now())

    c.header('Cache-Control', 'public, max-age=10')
    return c.json(status)
  })
}
