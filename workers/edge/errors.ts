import type { Context } from 'hono'
import { ConfigError } from '../../shared/config.ts'
import { HttpError } from '../../shared/http-error.ts'
import { logFailure } from '../../shared/log.ts'
import type { EdgeContext } from './context.ts'

export { HttpError } from '../../shared/http-error.ts'

const RETRY_CONFIG_SECONDS = 300

/** How long a client should wait when the database does not answer, in seconds. */
export const DATABASE_RETRY_SECONDS = 10

export const badRequest = (message: string) => new HttpError(400, message)
export const quoteNotFound = () => new HttpError(404, 'Cotización no encontrada')
export const routeNotFound = () => new HttpError(404, 'Recurso no encontrado')
export const unavailable = (message: string, retryAfter: number) =>
  new HttpError(503, message, { retryAfter })

/** A value that cannot be used is for the operator to mend: the log says which. */
const misconfigured = () =>
  unavailable('El servicio no está bien configurado en este momento', RETRY_CONFIG_SECONDS)

/**
 * The one way out for errors. What we did not foresee is answered with nothing of it: with 503
 * where the database failed in this request, which is nobody's mistake and passes.
 */
export function respondToError(error: Error, c: Context): Response {
  c.header('Cache-Control', 'no-store')

  const told = error instanceof HttpError ? error : unforeseen(error, c)
  if (told.retryAfter !== undefined) c.header('Retry-After', String(told.retryAfter))
  for (const [name, value] of Object.entries(told.headers)) c.header(name, value)

  return c.json({ error: told.message }, told.status)
}

function unforeseen(error: Error, c: Context<EdgeContext>): HttpError {
  const isDatabase = c.var.databaseFailed?.() === true
  logFailure(isDatabase ? 'database_failed' : 'unexpected_error', error)
  if (isDatabase)
    return unavailable('El servicio no está disponible en este momento', DATABASE_RETRY_SECONDS)
  return error instanceof ConfigError ? misconfigured() : new HttpError(500, 'Error interno')
}
