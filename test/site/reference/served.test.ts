import { expect, it } from 'vitest'
import { openSite, ORIGIN } from '../../support/site.ts'

it.each([
  ['/openapi/quotes.json', '2.1.0'],
  ['/openapi/webhooks.json', '2.4.0'],
  ['/openapi/extras.json', '1.0.0'],
  ['/openapi/all.json', '1.0.0'],
])('%s is served to every origin, for an hour', async (path, version) => {
  const response = await openSite().fetch(path)

  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toBe('application/json')
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=3600')
  expect(await response.json()).toMatchObject({
    openapi: '3.1.0',
    info: { version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: ORIGIN }],
  })
})

it('tells the limits of this deployment, in documents and pages', async () => {
  const configured = {
    DATE_READ_LIMIT: '1500',
    DAILY_PRIVATE_BUDGET: '1234567',
    DELIVERY_WAITS: '1,60,7200',
  }
  const site = openSite({ env: configured })
  const read = async (path: string) => (await site.fetch(path)).text()
  const [quotes, webhooks, extensions, reference, guide, sheets, all] = await Promise.all(
    [
      '/openapi/quotes.json',
      '/openapi/webhooks.json',
      '/openapi/extras.json',
      '/docs/referencia',
      '/docs/webhooks',
      '/docs/planillas',
      '/llms-full.txt',
    ].map(read),
  )

  for (const text of [quotes, extensions, reference, all])
    expect(text).toContain('1.500 pedidos cada 10')
  for (const text of [quotes, webhooks, extensions, all])
    expect(text).toContain('1.234.567 pedidos privados')
  for (const text of [webhooks, guide, all])
    expect(text).toContain('4 intentos por envío, con esperas de 1 segundo, 1 minuto y 2 horas')
  for (const text of [sheets, all]) expect(text).toContain('1.500 consultas por fecha')
  for (const text of [quotes, webhooks, extensions, reference, guide, sheets, all])
    expect(text).not.toMatch(/20\.000|\b20 (?:pedidos|consultas)|30 minutos/)
})
