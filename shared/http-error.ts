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
