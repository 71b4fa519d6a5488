import type { Context } from 'hono'
import { answerError } from '../../shared/api-error.ts'
import { HttpError } from '../../shared/http-error.ts'
import type { EdgeContext } from './context.ts'
import { QUOTE_NOT_FOUND } from '../../shared/sentences.ts'

export { DATABASE_RETRY_SECONDS } from '../../shared/api-error.ts'
export { badRequest, HttpError, unavailable } from '../../shared/http-error.ts'

export const quoteNotFound = () => new HttpError(404, QUOTE_NOT_FOUND)

export function respondToError(error: Error, c: Context<EdgeContext>): Response {
  return answerError(error, c, c.var.databaseFailed?.() === true)
}
