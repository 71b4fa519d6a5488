import { Hono } from 'hono'
import { DAY_MS, formatUtc, startOfDay } from '../../shared/argentine-time.ts'
import { PAIRS } from '../../shared/market/catalog.ts'
import { orAbsent } from '../../shared/log.ts'
import { setting } from '../../shared/config/config.ts'
import { pairPath } from './board/words.ts'
import type { SiteContext } from './context.ts'
import { GUIDES } from './reference/docs-routes.tsx'

const DAY_CACHE = { 'Cache-Control': 'public, max-age=86400' }
const PLAIN = { ...DAY_CACHE, 'Content-Type': 'text/plain; charset=utf-8' }
/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180
const PAGES = [
  '/',
  '/docs',
  ...GUIDES.map(({ path }) => path),
  '/datos',
  '/estado',
  '/brecha',
  '/calendario',
  '/facturacion',
  ...PAIRS.map(pairPath),
]

/** Files that machines request from every site. */
export function crawlerRoutes() {
  return new Hono<SiteContext>()
    .get('/robots.txt', (c) =>
      c.body(
        `User-agent: *\nDisallow: /api/\nDisallow: /cuenta\n\nSitemap: ${c.var.canonicalOrigin}/sitemap.xml\n`,
        200,
        PLAIN,
      ),
    )
    .get('/sitemap.xml', (c) => {
      const urls = PAGES.map((path) => `<url><loc>${c.var.canonicalOrigin}${path}</loc></url>`)
      const document = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
      return c.body(document, 200, {
        ...DAY_CACHE,
        'Content-Type': 'application/xml; charset=utf-8',
      })
    })
    .get('/.well-known/security.txt', (c) => {
      const expires = formatUtc(startOfDay(c.var.now()) + VALID_DAYS * DAY_MS)
      const lines = [
        `Contact: ${contactOf(c.env.MAIL_FROM, c.var.canonicalOrigin)}`,
        `Expires: ${expires}`,
        'Preferred-Languages: es, en',
        `Canonical: ${c.var.canonicalOrigin}/.well-known/security.txt`,
      ]
      return c.body(`${lines.join('\n')}\n`, 200, PLAIN)
    })
    .get('/favicon.ico', (c) => c.redirect('/static/icon.svg', 301))
}

/** The contact for security.txt: the sender of our e-mails, else `/docs`. */
function contactOf(mailFrom: string | undefined, origin: string): string {
  const address = orAbsent(() => setting({ MAIL_FROM: mailFrom }, 'MAIL_FROM'))?.match(
    /[^\s<>]+@[^\s<>]+/,
  )?.[0]
  return address ? `mailto:${address}` : `${origin}/docs`
}
