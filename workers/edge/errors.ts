import type { Context } from 'hono'
import { HttpError, refusalHeaders, unavailable } from '../../shared/http-error.ts'
import { orThrow } from '../../shared/or-throw.ts'
import type { EdgeContext } from './context.ts'
import { QUOTE_NOT_FOUND } from '../../shared/sentences.ts'
import { unforeseenError } from '../../shared/unforeseen-error.ts'

export { badRequest, HttpError, unavailable } from '../../shared/http-error.ts'

export const quoteNotFound = () => new HttpError(404, QUOTE_NOT_FOUND)

/** How long a client should wait when the database does not answer, in seconds. */
const DATABASE_RETRY_SECONDS = 10

/** The result of the database, or a 503 with this text when it fails. */
export function orUnavailable<Value>(answer: Promise<Value>, text: string): Promise<Value> {
  return orThrow(answer, 'database_failed', () => unavailable(text, DATABASE_RETRY_SECONDS))
}

const outOfReach = () =>
  unavailable('El servicio no está disponible en este momento', DATABASE_RETRY_SECONDS)

/** The one way out for errors of the public API: the Error object. */
export function respondToError(error: Error, c: Context<EdgeContext>): Response {
  const databaseFailed = c.var.databaseFailed()
  const known =
    error instanceof HttpError ? error : unforeseenError(error, { databaseFailed, outOfReach })
  return c.json({ error: known.message }, known.status, refusalHeaders(known))
}
