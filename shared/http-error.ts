import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { requestId, logFailure } from './log.ts'
import { BODY_NOT_WHOLE, METHOD_NOT_ALLOWED, RESOURCE_NOT_FOUND } from './sentences.ts'
import { ConfigError } from './config/config.ts'

/** A refusal: status, Spanish sentence and, where a retry can help, the time to wait. */
export class HttpError extends Error {
  readonly status: ContentfulStatusCode
  /** Seconds to wait, whole and at least 1. */
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

/** The headers of a refusal. A 5xx has the request's id, by which operators find its log lines. */
export function refusalHeaders({ status, retryAfter, headers }: HttpError): Record<string, string> {
  const id = status >= 500 ? requestId() : undefined
  return {
    'Cache-Control': 'no-store',
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    ...(id !== undefined && { 'X-Request-Id': id }),
    ...headers,
  }
}

export const badRequest = (message: string) => new HttpError(400, message)
export const malformedJson = () => badRequest('El cuerpo no es JSON válido')
/** A 400: the client, not the service, ended the body too early. */
export const incompleteBody = () => badRequest(BODY_NOT_WHOLE)
export const unauthorized = () =>
  new HttpError(401, 'No autorizado', { headers: { 'WWW-Authenticate': 'Bearer' } })
export const notFound = () => new HttpError(404, RESOURCE_NOT_FOUND)
export const methodNotAllowed = (allowed: readonly string[]) =>
  new HttpError(405, METHOD_NOT_ALLOWED, {
    headers: { Allow: [...allowed, 'OPTIONS'].join(', ') },
  })
export const unavailable = (message: string, retryAfter: number) =>
  new HttpError(503, message, { retryAfter })

const RETRY_CONFIG_SECONDS = 300

/**
 * Logs an unforeseen error and returns a refusal without any part of the error. If the database
 * failed in this request, the failure is temporary and the refusal is `outOfReach`.
 */
export function unforeseenError(
  error: Error,
  databaseFailed: boolean,
  outOfReach: () => HttpError,
): HttpError {
  logFailure(databaseFailed ? 'database_failed' : 'unexpected_error', error)
  if (databaseFailed) return outOfReach()
  // The operator must correct the setting, which the log names.
  if (error instanceof ConfigError)
    return unavailable('El servicio no está bien configurado en este momento', RETRY_CONFIG_SECONDS)
  return new HttpError(500, 'Error interno')
}
