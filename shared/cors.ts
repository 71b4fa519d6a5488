/**
 * CORS of every `/api/*` answer: public, and never with credentials (decision 9: public reads and
 * CORS).
 */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
} as const

const PREFLIGHT_HEADERS = {
  ...CORS_HEADERS,
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers':
    'Authorization, x-api-key, Content-Type, If-None-Match, Last-Event-ID, Cache-Control',
  'Access-Control-Max-Age': '86400',
} as const

/** CORS of the nightly files, of which a browser may read parts. */
export const FILE_CORS_HEADERS = {
  ...CORS_HEADERS,
  'Access-Control-Expose-Headers': `${CORS_HEADERS['Access-Control-Expose-Headers']}, Accept-Ranges, Content-Range`,
} as const

const FILE_PREFLIGHT_HEADERS = {
  ...FILE_CORS_HEADERS,
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'Range, If-Range, If-None-Match',
  'Access-Control-Max-Age': PREFLIGHT_HEADERS['Access-Control-Max-Age'],
} as const

export function answerPreflight(): Response {
  return new Response(null, { status: 204, headers: PREFLIGHT_HEADERS })
}

/** At the compatibility addresses whatever header is asked for, as the originals allow. */
export function answerCompatibilityPreflight({ headers }: Request): Response {
  const response = answerPreflight()
  const requested = headers.get('Access-Control-Request-Headers')
  if (requested !== null) response.headers.set('Access-Control-Allow-Headers', requested)
  response.headers.set('Vary', 'Access-Control-Request-Headers')
  return response
}

export function answerFilePreflight(): Response {
  return new Response(null, { status: 204, headers: FILE_PREFLIGHT_HEADERS })
}
