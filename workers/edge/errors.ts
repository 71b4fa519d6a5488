import type { Context } from 'hono'
import { ConfigError } from '../../shared/config.ts'
import { HttpError } from '../../shared/http-error.ts'
import { logFailure } from '../../shared/log-failure.ts'

export { HttpError } from '../../shared/http-error.ts'

const RETRY_CONFIG_SECONDS = 300

export const badRequest = (message: string) => new HttpError(400, message)
export const quoteNotFound = () => new HttpError(404, 'Cotización no encontrada')
export const routeNotFound = () => new HttpError(404, 'Recurso no encontrado')
export const unavailable = (message: string, retryAfter: number) =>
  new HttpError(503, message, { retryAfter })

/** A value that cannot be used is for the operator to mend: the log says which. */
const misconfigured = () =>
  unavailable('El servicio no está bien configurado en este momento', RETRY_CONFIG_SECONDS)

/**
 * The one way out for errors. What we did not foresee is answered with nothing of it.
 */
export function respondToError(error: Error, c: Context): Response {
  c.header('Cache-Control', 'no-store')

  if (!(error instanceof HttpError)) {
    logFailure('unexpected_error', error)
    if (error instanceof ConfigError) return respondToError(misconfigured(), c)
    return c.json({ error: 'Error interno' }, 500)
  }
  if (error.retryAfter !== undefined) c.header('Retry-After', String(error.retryAfter))
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value)

  return c.json({ error: error.message }, error.status)
}
