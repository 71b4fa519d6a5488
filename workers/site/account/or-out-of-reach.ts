import type { MiddlewareHandler } from 'hono'
import type { SiteContext } from '../context.ts'
import { databaseOutOfReach } from '../errors.ts'

/**
 * Answers 503 when the database failed. The sign-in library would treat an unreadable session as
 * absent, and an unreadable link as expired.
 */
export const orOutOfReach: MiddlewareHandler<SiteContext> = async (c, next) => {
  await next()
  if (!c.var.databaseFailed() || c.res.status === 503) return

  c.header('Location', undefined)
  throw databaseOutOfReach()
}
