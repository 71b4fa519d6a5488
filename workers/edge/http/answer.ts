/** A public answer as plain data: made once, sent many times. */
import type { Mode } from '../../../shared/board/board.ts'
import { CORS_HEADERS } from '../../../shared/cors.ts'

/** Older clients read JSON without a charset as Latin-1. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** The parts of an answer. */
export interface AnswerParts {
  body: string
  contentType: string
  /** Seconds that caches may keep the answer (decision 8: how reads are cached). */
  maxAgeSeconds: number
  /** The request headers that choose the form, for `Vary`. */
  vary?: string
}

type AnswerHeaders = Readonly<Record<string, string>>

export interface Answer {
  body: string
  etag: string
  /** The headers of the 200. */
  headers: AnswerHeaders
  /** The headers of the 304, without those of a body (RFC 9110, 15.4.5). */
  unchangedHeaders: AnswerHeaders
}

/** A public answer with its strong ETag. */
export function answerOf(
  { body, contentType, maxAgeSeconds, vary }: AnswerParts,
  mode: Mode,
): Answer {
  const etag = strongEtag(body)
  const unchangedHeaders = {
    ...CORS_HEADERS,
    'Cache-Control': `public, max-age=${maxAgeSeconds}`,
    ...(vary && { Vary: vary }),
    ...modeHeader(mode),
    ETag: etag,
  }
  return {
    body,
    etag,
    headers: { ...unchangedHeaders, 'Content-Type': contentType },
    unchangedHeaders,
  }
}

/** The response to a request: 304 when the client has the answer, no body for HEAD. */
export function responseTo(
  request: Request,
  { body, etag, headers, unchangedHeaders }: Answer,
): Response {
  if (matchesEtag(request.headers.get('If-None-Match'), etag)) {
    return new Response(null, { status: 304, headers: unchangedHeaders })
  }
  return new Response(request.method === 'HEAD' ? null : body, { headers })
}

/** The header that tells simulated or replayed prices from real prices. */
export function modeHeader(mode: Mode): AnswerHeaders {
  return mode === 'live' ? {} : { 'X-Service-Mode': mode }
}

/**
 * A strong ETag: the same text has the same ETag on every isolate. 106 bits of two hashes with
 * different seeds (cyrb53, public domain); synchronous, unlike WebCrypto.
 */
export function strongEtag(text: string): string {
  return `"${hash53(text, 0)}${hash53(text, 0x9e3779b9)}"`
}

/**
 * Whether `If-None-Match` names the ETag, by the weak comparison of RFC 9110, section 13.1.2: `W/`
 * is ignored and `*` names any. Tags may contain commas.
 */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  if (ifNoneMatch === etag) return true
  if (ifNoneMatch.trim() === '*') return true

  return ifNoneMatch.match(/"[^"]*"/g)?.includes(etag) ?? false
}

function hash53(text: string, seed: number): string {
  let h1 = 0xdeadbeef ^ seed
  let h2 = 0x41c6ce57 ^ seed
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    h1 = Math.imul(h1 ^ code, 2654435761)
    h2 = Math.imul(h2 ^ code, 1597334677)
  }
  h1 = Math.imul(h1 ^ (h1 >>> 16), 2246822507) ^ Math.imul(h2 ^ (h2 >>> 13), 3266489909)
  h2 = Math.imul(h2 ^ (h2 >>> 16), 2246822507) ^ Math.imul(h1 ^ (h1 >>> 13), 3266489909)

  return (4294967296 * (2097151 & h2) + (h1 >>> 0)).toString(36)
}
