import { expect, it } from 'vitest'
import type { Mode } from '../../shared/board/board.ts'
import { PAIRS } from '../../shared/market/catalog.ts'
import { openSite } from '../support/site.ts'
import { getPage } from './page.ts'
import { NOON } from '../support/instant.ts'
import { aBoardQuote, seedBoard } from '../support/board.ts'

const get = (path: string, now = NOON, env = {}) => getPage(path, { now, env })

const board = (mode: Mode = 'live') =>
  seedBoard(NOON, { mode, quotes: [aBoardQuote('USD/BLUE', { sell: 1430, referenceSell: 1400 })] })

it('the badge shows name, sell and change, and has them as its title', async () => {
  await board()
  const response = await get('/badge/usd/blue.svg')
  expect(response.headers.get('Content-Type')).toBe('image/svg+xml; charset=utf-8')
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=60')
  expect(response.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin')
  expect(response.headers.get('ETag')).toMatch(/^"/)
  const badge = await response.text()
  expect(badge).toMatch(/role="img"\s+aria-labelledby="t"/)
  expect(badge).toContain('<title id="t">Dólar Blue: $\u00a01.430,00 +2,14\u00a0%</title>')
  expect(badge).not.toMatch(/<script|style=|false|undefined|NaN/)
})

it('the badge says when the price is simulated, late or missing', async () => {
  await board('demo')
  expect(await (await get('/badge/usd/blue.svg')).text()).toContain('Dólar Blue (demo)')
  expect(await (await get('/badge/USD/CCL.svg')).text()).toContain('sin datos')
  await board()
  expect(await (await get('/badge/usd/blue.svg', NOON + 3_600_000)).text()).toContain('demorado')
})

it('the card for frames may be framed by any site, reloads, and has the value, a link to the page and no script', async () => {
  await board()
  const response = await get('/embed/usd/blue')
  expect(response.headers.get('Content-Security-Policy')).toContain('frame-ancestors *')
  expect(response.headers.get('X-Frame-Options')).toBeNull()
  expect(response.headers.get('Refresh')).toBe('300')
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=60')
  const card = await response.text()
  expect(card).toContain('$\u00a01.430,00')
  expect(card).toContain('href="https://cotizaciones.test/usd/blue" target="_blank"')
  expect(card).not.toMatch(/<script|\sstyle=|Demo/)
  await board('demo')
  expect(await (await get('/embed/usd/blue')).text()).toContain('Demo')
})

const securityText = async (env = {}) => (await get('/.well-known/security.txt', NOON, env)).text()

it('robots.txt keeps machines out of accounts and the API', async () => {
  expect(await (await get('/robots.txt')).text()).toBe(
    'User-agent: *\nDisallow: /api/\nDisallow: /cuenta\n\nSitemap: https://cotizaciones.test/sitemap.xml\n',
  )
})

it('the sitemap has every pair once', async () => {
  const response = await get('/sitemap.xml')
  expect(response.headers.get('Content-Type')).toBe('application/xml; charset=utf-8')
  const urls = [...(await response.text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)
  for (const { currency, origin } of PAIRS) {
    const url = `https://cotizaciones.test/${currency}/${origin}`.toLowerCase()
    expect(urls.filter((other) => other === url)).toHaveLength(1)
  }
  for (const path of ['/', '/datos', '/mudarse'])
    expect(urls).toContain(`https://cotizaciones.test${path}`)
})

it('security.txt has a contact, and an end in less than a year', async () => {
  expect(await securityText()).toMatch(/^Contact: https:/m)
  const left = Date.parse(/^Expires: (.*)$/m.exec(await securityText())![1]!) - NOON
  expect(left).toBeGreaterThan(100 * 86_400_000)
  expect(left).toBeLessThan(365 * 86_400_000)
  const mailed = await securityText({ MAIL_FROM: 'Cotizaciones <cuentas@example.com>' })
  expect(mailed).toMatch(/^Contact: mailto:cuentas@example\.com$/m)
})

it('canonical addresses are at the first of our origins, whichever origin is read', async () => {
  await board()
  const env = { PUBLIC_ORIGIN: 'https://una.example,https://otra.example' }
  for (const path of ['/', '/usd/blue', '/docs', '/docs/webhooks', '/datos'])
    expect(await (await get(`https://otra.example${path}`, NOON, env)).text()).toContain(
      `<link rel="canonical" href="https://una.example${path}"`,
    )
  expect(await (await get('https://otra.example/sitemap.xml', NOON, env)).text()).not.toContain(
    'otra.example',
  )
})

it('the favicon is our icon', async () => {
  expect((await get('/favicon.ico')).headers.get('Location')).toBe('/static/icon.svg')
})

it.each([
  '/docs',
  '/openapi/quotes.json',
  '/',
  '/usd/blue',
  '/usd/blue/grafico.json',
  '/usd/blue/diario.csv',
  '/badge/usd/blue.svg',
  '/embed/usd/blue',
  '/brecha',
  '/calendario',
  '/usd/blue/2026-02-27',
  '/facturacion?fecha=2026-02-27&moneda=usd&monto=1500',
])('%s has a tag, and is 304 to a reader who has it', async (path) => {
  await seedBoard(NOON, { quotes: [aBoardQuote('USD/BLUE'), aBoardQuote('USD/OFICIAL')] })
  const { fetch, clock } = openSite()
  clock.now = NOON
  const first = await fetch(path)
  const tag = first.headers.get('ETag')!
  expect(tag).toMatch(/^"[0-9a-f]{40}"$/)
  const again = await fetch(path)
  expect(await again.text()).toBe(await first.text())
  expect(Object.fromEntries(again.headers)).toEqual(Object.fromEntries(first.headers))

  const unchanged = await fetch(path, { headers: { 'If-None-Match': tag } })
  expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
  expect(unchanged.headers.get('Cache-Control')).toBe(first.headers.get('Cache-Control'))
  const head = await fetch(path, { method: 'HEAD' })
  expect([head.status, head.headers.get('ETag')]).toEqual([200, tag])
})
