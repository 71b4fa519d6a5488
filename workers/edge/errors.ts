import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { logFailure } from '../../shared/log-failure.ts'

/** A refusal with its status, its Spanish text and, where waiting helps, how long. */
export class HttpError extends Error {
  readonly status: ContentfulStatusCode
  /** Whole seconds, at least 1. */
  readonly retryAfter: number | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: ContentfulStatusCode,
    message: string,
    options: { retryAfter?: number; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.retryAfter = options.retryAfter
    this.headers = options.headers ?? {}
  }
}

export const badRequest = (message: string) => new HttpError(400, message)
export const quoteNotFound = () => new HttpError(404, 'Cotización no encontrada')
export const routeNotFound = () => new HttpError(404, 'Recurso no encontrado')
export const unavailable = (message: string, retryAfter: number) =>
  new HttpError(503, message, { retryAfter })

/**
 * The one way out for errors. What we did not foresee is answered with nothing of it.
 */
export function respondToError(error: Error, c: Context): Response {
  c.header('Cache-Control', 'no-store')

  if (!(error instanceof HttpError)) {
    logFailure('unexpected_error', error)
    return c.json({ error: 'Error interno' }, 500)
  }
  if (error.retryAfter !== undefined) c.header('Retry-After', String(error.retryAfter))
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value)

  return c.json({ error: error.message }, error.status)
}
