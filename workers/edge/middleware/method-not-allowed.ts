import type { Hono } from 'hono'
import { type HttpError, methodNotAllowed as refuseMethod } from '../../../shared/http-error.ts'

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE']

/** The 405 of a path that has other methods, with these in `Allow`; null for an unknown path. */
export function methodNotAllowed(
  // oxlint-disable-next-line typescript/no-explicit-any -- any app: only its router is used
  app: Hono<any>,
  method: string,
  path: string,
): HttpError | null {
  const allowed = METHODS.filter(
    (candidate) => candidate !== method && knows(app, candidate, path),
  ).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return allowed.length === 0 ? null : refuseMethod(allowed)
}

/** Whether a handler, not just middleware, is registered for the method and path. */
// oxlint-disable-next-line typescript/no-explicit-any
function knows(app: Hono<any>, method: string, path: string): boolean {
  const [handlers] = app.router.match(method, path)
  return handlers.some(([[, route]]) => route.method === method)
}
