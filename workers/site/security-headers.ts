import type { MiddlewareHandler } from 'hono'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/**
 * The headers of every page. Scripts and styles come only from our own files. The referrer stays
 * among our own pages: `no-referrer` would make browsers send `Origin: null` with our own forms.
 * `formTargets` are further places where a form may end: Chromium holds redirects to it too.
 * `framed` pages may stand in frames of any site. `inlineStyles` is for the API reference alone:
 * Scalar puts its style sheet and the colours of code into the page; scripts stay ours.
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
