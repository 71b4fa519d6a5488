/** CORS of every `/api/*` answer: any origin, without credentials (decision 9: public reads). */
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

/** Allows every requested header, because libraries add their own. Browsers send no cookies. */
export function answerPreflight(
  { headers }: Request,
  others: Record<string, string> = {},
): Response {
  const requested = headers.get('Access-Control-Request-Headers')
  return new Response(null, {
    status: 204,
    headers: {
      ...PREFLIGHT_HEADERS,
      ...others,
      ...(requested !== null && { 'Access-Control-Allow-Headers': requested }),
      Vary: 'Access-Control-Request-Headers',
    },
  })
}
