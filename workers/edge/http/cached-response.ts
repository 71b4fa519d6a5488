import type { Mode } from '../../../shared/board/board.ts'
import { CORS_HEADERS } from '../../../shared/cors.ts'
import { matchesEtag, strongEtag } from './etag.ts'

type ResponseHeaders = Readonly<Record<string, string>>

/** A response as plain data: made once, sent many times. */
export interface CachedResponse {
  body: string
  etag: string
  /** The headers of the 200. */
  headers: ResponseHeaders
  /** The headers of the 304, without those of a body (RFC 9110, 15.4.5). */
  unchangedHeaders: ResponseHeaders
}

/** Readers must be able to tell simulated or replayed prices. */
export function modeHeader(mode: Mode): ResponseHeaders {
  return mode === 'live' ? {} : { 'X-Service-Mode': mode }
}

/** A public response with its strong ETag. */
export function cachedResponse(
  body: string,
  contentType: string,
  others: ResponseHeaders,
): CachedResponse {
  const etag = strongEtag(body)
  const unchangedHeaders = { ...CORS_HEADERS, ...others, ETag: etag }
  return {
    body,
    etag,
    headers: { ...unchangedHeaders, 'Content-Type': contentType },
    unchangedHeaders,
  }
}

/** The response to a request: 304 when the client has it, no body for HEAD. */
export function respond(
  request: Request,
  { body, etag, headers, unchangedHeaders }: CachedResponse,
): Response {
  if (matchesEtag(request.headers.get('If-None-Match'), etag)) {
    return new Response(null, { status: 304, headers: unchangedHeaders })
  }
  return new Response(request.method === 'HEAD' ? null : body, { headers })
}
