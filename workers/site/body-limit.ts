import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { MAX_BODY_BYTES } from '../../shared/limits.ts'
import { HttpError, incompleteBody, tooLarge } from './errors.ts'

const limitBody = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => {
    throw tooLarge()
  },
})

/**
 * Refuses bodies that are too long. The body of a GET is not read: the library would copy it into a
 * new GET, which cannot have one. A body that ends too early is the sender's fault.
 */
export const BODY_LIMIT: MiddlewareHandler = async (c, next) => {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return next()
  try {
    return await limitBody(c, next)
  } catch (error) {
    throw error instanceof HttpError ? error : incompleteBody()
  }
}
