import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { requestId, logFailure } from './log.ts'
import { BODY_NOT_WHOLE, METHOD_NOT_ALLOWED, RESOURCE_NOT_FOUND } from './sentences.ts'
import { ConfigError } from './config/config.ts'

/** A refusal with its status and Spanish sentence and, where waiting helps, the time to wait. */
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

/** The headers of a refusal. A 5xx carries the request's id, to find its log lines. */
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
/** A client that ends its body too early is at fault, not the service. */
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
 * Logs an unforeseen error and makes the response, which reveals nothing of the error: `outOfReach`
 * if the database failed in this request, which is temporary.
 */
export function unforeseenError(
  error: Error,
  databaseFailed: boolean,
  outOfReach: () => HttpError,
): HttpError {
  logFailure(databaseFailed ? 'database_failed' : 'unexpected_error', error)
  if (databaseFailed) return outOfReach()
  // The operator must correct the configuration: the log names the setting.
  if (error instanceof ConfigError)
    return unavailable('El servicio no está bien configurado en este momento', RETRY_CONFIG_SECONDS)
  return new HttpError(500, 'Error interno')
}
