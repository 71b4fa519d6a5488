import { logFailure } from '../../shared/log-failure.ts'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** A refusal with its status, its Spanish sentence and, where waiting helps, how long. */
export class SiteError extends Error {
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

export const badRequest = (message: string) => new SiteError(400, message)
export const unauthorized = () =>
  new SiteError(401, 'No autorizado', { headers: { 'WWW-Authenticate': 'Bearer' } })
export const notFound = () => new SiteError(404, 'Recurso no encontrado')
export const keyNotFound = () => new SiteError(404, 'Esa clave ya no existe')
export const webhookNotFound = () => new SiteError(404, 'Ese webhook ya no existe')
export const boardMissing = () =>
  new SiteError(503, 'No pudimos leer las cotizaciones, probá de nuevo en un minuto', {
    retryAfter: 30,
  })
export const tooLarge = () => new SiteError(413, 'El cuerpo supera los 16 KiB')

/** What we did not foresee. */
export function logUnexpected(error: Error): void {
  logFailure('unexpected_error', error)
}
