import type { Context } from 'hono'
import { HttpError, unavailable } from '../../shared/http-error.ts'
import type { EdgeContext } from './context.ts'
import { QUOTE_NOT_FOUND } from '../../shared/sentences.ts'
import { unforeseenError } from '../../shared/unforeseen-error.ts'

export { badRequest, HttpError, unavailable } from '../../shared/http-error.ts'

export const quoteNotFound = () => new HttpError(404, QUOTE_NOT_FOUND)

export function respondToError(error: Error, c: Context<EdgeContext>): Response {
  return answerError(error, c, c.var.databaseFailed?.() === true)
}

/** How long a client should wait when the database does not answer, in seconds. */
export const DATABASE_RETRY_SECONDS = 10

const outOfReach = () =>
  unavailable('El servicio no está disponible en este momento', DATABASE_RETRY_SECONDS)

/** The one way out for errors of the public API: the Error object. */
export function answerError(
  error: Error,
  c: Pick<Context, 'header' | 'json'>,
  databaseFailed: boolean,
): Response {
  c.header('Cache-Control', 'no-store')

  const known =
    error instanceof HttpError ? error : unforeseenError(error, { databaseFailed, outOfReach })
  if (known.retryAfter !== undefined) c.header('Retry-After', String(known.retryAfter))
  for (const [name, value] of Object.entries(known.headers)) c.header(name, value)

  return c.json({ error: known.message }, known.status)
}
