import { CORS_HEADERS } from '../../../shared/cors.ts'
import { matchesEtag, strongEtag } from './etag.ts'

type ResponseHeaders = Readonly<Record<string, string>>

/** An answer as plain data: made once, sent many times. */
export interface CachedResponse {
  body: string
  etag: string
  /** Of the 200. */
  headers: ResponseHeaders
  /** Of the 304, which says nothing of a body (RFC 9110, 15.4.5). */
  unchangedHeaders: ResponseHeaders
}

/** A public answer with its strong tag. */
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

/** The answer as a response: 304 to who holds it, no body for HEAD. */
export function respond(
  request: Request,
  { body, etag, headers, unchangedHeaders }: CachedResponse,
): Response {
  if (matchesEtag(request.headers.get('If-None-Match'), etag)) {
    return new Response(null, { status: 304, headers: unchangedHeaders })
  }
  return new Response(request.method === 'HEAD' ? null : body, { headers })
}
