import type { Context, MiddlewareHandler } from 'hono'
import type * as z from 'zod'
import { answerPreflight, CORS_HEADERS } from '../../../shared/cors.ts'
import {
  badRequest,
  HttpError,
  malformedJson,
  methodNotAllowed,
} from '../../../shared/http-error.ts'

/** Never stored, with the CORS headers of everything under `/api/`. */
export const apiHeaders: MiddlewareHandler = async (c, next) => {
  if (c.req.method === 'OPTIONS') return answerPreflight()

  await next()
  c.header('Cache-Control', 'no-store')
  for (const [name, value] of Object.entries(CORS_HEADERS)) c.header(name, value)
}

/** Refuses other methods of a path, naming its own. */
export function methods(...allowed: string[]): MiddlewareHandler {
  const all = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))

  return async (c, next) => {
    if (!all.includes(c.req.method)) throw methodNotAllowed(all)
    await next()
  }
}

/**
 * The JSON body in its shape, or 415 or 400 (decision 39: bodies and their refusals). The
 * Content-Type is required also because no form of another site can send it.
 */
export async function readJson<T extends z.ZodType>(
  c: Context,
  shape: T,
  problem: string,
): Promise<z.output<T>> {
  const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== 'application/json') throw new HttpError(415, 'El cuerpo tiene que ser JSON')

  const body = await c.req.json<unknown>().catch(() => {
    throw malformedJson()
  })
  const parsed = shape.safeParse(body)
  if (!parsed.success) throw badRequest(problem)

  return parsed.data
}
