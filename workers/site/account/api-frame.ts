import type { Context, MiddlewareHandler } from 'hono'
import type * as z from 'zod'
import { badRequest, HttpError } from '../errors.ts'

/**
 * Never stored; readable from anywhere without credentials and from nowhere else with them, as
 * everything under `/api/` (decision 9).
 */
export const apiHeaders: MiddlewareHandler = async (c, next) => {
  if (c.req.method === 'OPTIONS') {
    c.header('Access-Control-Allow-Methods', 'GET, HEAD, POST, PATCH, DELETE')
    c.header(
      'Access-Control-Allow-Headers',
      'Authorization, x-api-key, Content-Type, If-None-Match',
    )
    c.header('Access-Control-Max-Age', '86400')
    c.header('Access-Control-Allow-Origin', '*')
    return c.body(null, 204)
  }

  await next()
  c.header('Cache-Control', 'no-store')
  c.header('Access-Control-Allow-Origin', '*')
  c.header('Access-Control-Expose-Headers', 'ETag, Retry-After')
  return undefined
}

/** Refuses other methods of a path, naming its own. */
export function methods(...allowed: string[]): MiddlewareHandler {
  const all = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))

  return async (c, next) => {
    if (!all.includes(c.req.method))
      throw new HttpError(405, 'Método no permitido', {
        headers: { Allow: [...all, 'OPTIONS'].join(', ') },
      })
    await next()
  }
}

/**
 * The JSON body in its shape, or 415 or 400 (decision 39). The Content-Type is demanded also
 * because no form of another site can send it.
 */
export async function readJson<T extends z.ZodType>(
  c: Context,
  shape: T,
  problem: string,
): Promise<z.output<T>> {
  const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== 'application/json') throw new HttpError(415, 'El cuerpo tiene que ser JSON')

  const body = await c.req.json<unknown>().catch(() => {
    throw badRequest('El cuerpo no es JSON válido')
  })
  const parsed = shape.safeParse(body)
  if (!parsed.success) throw badRequest(problem)

  return parsed.data
}
