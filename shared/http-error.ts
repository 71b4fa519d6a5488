import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** A refusal with its status, its Spanish sentence and, where waiting helps, how long. */
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
export const malformedJson = () => badRequest('El cuerpo no es JSON válido')
/** A sender that ends before its body does is at fault, not we. */
export const incompleteBody = () => badRequest('El cuerpo no llegó entero')
export const unauthorized = () =>
  new HttpError(401, 'No autorizado', { headers: { 'WWW-Authenticate': 'Bearer' } })
export const notFound = () => new HttpError(404, 'Recurso no encontrado')
export const methodNotAllowed = (allowed: readonly string[]) =>
  new HttpError(405, 'Método no permitido', {
    headers: { Allow: [...allowed, 'OPTIONS'].join(', ') },
  })
export const unavailable = (message: string, retryAfter: number) =>
  new HttpError(503, message, { retryAfter })
