import type { MiddlewareHandler } from 'hono'
import type { SiteContext } from '../context.ts'
import { databaseOutOfReach } from '../errors.ts'

/**
 * Answers 503 when the database failed. The sign-in library would take an unreadable session for
 * none, and an unreadable link for a dead one.
 */
export const orOutOfReach: MiddlewareHandler<SiteContext> = async (c, next) => {
  await next()
  if (!c.var.databaseFailed() || c.res.status === 503) return

  c.header('Location', undefined)
  throw databaseOutOfReach()
}
