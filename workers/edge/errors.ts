import type { Context } from 'hono'
import { HttpError, unavailable } from '../../shared/http-error.ts'
import { unforeseenError } from '../../shared/unforeseen-error.ts'
import type { EdgeContext } from './context.ts'

export { badRequest, HttpError, unavailable } from '../../shared/http-error.ts'

/** How long a client should wait when the database does not answer, in seconds. */
export const DATABASE_RETRY_SECONDS = 10

export const quoteNotFound = () => new HttpError(404, 'Cotización no encontrada')

const outOfReach = () =>
  unavailable('El servicio no está disponible en este momento', DATABASE_RETRY_SECONDS)

/** The one way out for errors. */
export function respondToError(error: Error, c: Context<EdgeContext>): Response {
  c.header('Cache-Control', 'no-store')

  const databaseFailed = c.var.databaseFailed?.() === true
  const told =
    error instanceof HttpError ? error : unforeseenError(error, { databaseFailed, outOfReach })
  if (told.retryAfter !== undefined) c.header('Retry-After', String(told.retryAfter))
  for (const [name, value] of Object.entries(told.headers)) c.header(name, value)

  return c.json({ error: told.message }, told.status)
}
