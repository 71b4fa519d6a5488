import type { MiddlewareHandler } from 'hono'
import { githubApp } from './account/auth.ts'
import type { SiteContext } from './context.ts'
import { FRAMED_PATH } from './embed.tsx'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/**
 * The headers of every page. Scripts and styles come only from our own files.
 * - Browsers send the referrer only to our own pages. With `no-referrer` they would send
 *   `Origin: null` with our own forms.
 * - If GitHub is configured, forms may lead to it: the sign-in form redirects there, and Chromium
 *   checks redirects too.
 * - Any site may put the cards into a frame.
 * - Only the API reference may have inline styles: Scalar inserts its style sheet into the page.
 */
export const securityHeaders: MiddlewareHandler<SiteContext> = async (c, next) => {
  await next()
  const framed = c.req.path.startsWith(FRAMED_PATH)
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${c.req.path === '/docs' ? " 'unsafe-inline'" : ''}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    `form-action 'self'${!framed && githubApp(c.env) ? ' https://github.com' : ''}`,
    "base-uri 'none'",
    `frame-ancestors ${framed ? '*' : "'none'"}`,
  ]
  const { headers } = c.res
  headers.set('Content-Security-Policy', policy.join('; '))
  headers.set('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`)
  headers.set('Referrer-Policy', 'same-origin')
  headers.set('X-Content-Type-Options', 'nosniff')
  if (!framed) headers.set('X-Frame-Options', 'DENY')
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=()')
}
