import { expect, it } from 'vitest'
import { openSite, ORIGIN } from '../../support/site.ts'

it.each([
  ['/openapi/quotes.json', '2.1.0'],
  ['/openapi/webhooks.json', '2.4.0'],
])('%s is served to every origin, for an hour', async (path, version) => {
  const response = await openSite().fetch(path)

  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toBe('application/json')
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=3600')
  expect(await response.json()).toMatchObject({
    openapi: '3.1.0',
    info: { version },
    servers: [{ url: ORIGIN }],
  })
})
