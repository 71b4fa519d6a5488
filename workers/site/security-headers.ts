import type { MiddlewareHandler } from 'hono'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/**
 * The headers of every page. Scripts and styles come only from our own files. The referrer is sent
 * only to our own pages: with `no-referrer` browsers would send `Origin: null` with our own forms.
 * `formTargets` are other origins where a form may end: Chromium checks redirects too. Any site may
 * show `framed` pages in a frame. Only the API reference has `inlineStyles`: Scalar inserts its
 * style sheet and the colours of code into the page; scripts stay ours.
 */
export function securityHeaders({
  formTargets = [],
  framed = false,
  inlineStyles = false,
}: { formTargets?: string[]; framed?: boolean; inlineStyles?: boolean } = {}): MiddlewareHandler {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${inlineStyles ? " 'unsafe-inline'" : ''}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    `frame-ancestors ${framed ? '*' : "'none'"}`,
  ].join('; ')

  return async (c, next) => {
    await next()
    const { headers } = c.res
    headers.set('Content-Security-Policy', policy)
    headers.set('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`)
    headers.set('Referrer-Policy', 'same-origin')
    headers.set('X-Content-Type-Options', 'nosniff')
    if (!framed) headers.set('X-Frame-Options', 'DENY')
    headers.set('Cross-Origin-Opener-Policy', 'same-origin')
    headers.set('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=()')
  }
}
