import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import edge from '../../workers/edge/index.ts'
import { env } from '../support/env.ts'
import { aBoardQuote, seedBoard } from '../support/seed.ts'

const HEADER = 'Cloudflare-CDN-Cache-Control'

/** The deployed edge, with the site as a service, and EDGE_CACHE as given. */
async function get(path: string, cache: 'on' | 'off', init: RequestInit = {}) {
  const context = createExecutionContext()
  const site = { fetch: async () => new Response('page') } as unknown as Fetcher
  const response = await edge.fetch(
    new Request(`https://cotizaciones.test${path}`, init) as Parameters<typeof edge.fetch>[0],
    { ...env, SITE: site, EDGE_CACHE: cache },
    context,
  )
  await waitOnExecutionContext(context)
  return response
}

describe('with EDGE_CACHE on, the platform’s cache', () => {
  it.each(['/api/v2/usd/blue', '/api/usd/blue', '/api/v2/USD', '/api/v2/quotes'])(
    'may keep %s for half of what clients may, and not past an error',
    async (path) => {
      await seedBoard(Date.now(), { quotes: [aBoardQuote('USD/BLUE')] })
      const response = await get(path, 'on')
      expect(response.status).toBe(200)
      expect(response.headers.get(HEADER)).toBe('max-age=30, stale-if-error=0')
      expect(response.headers.get('Cache-Control')).toBe('public, max-age=60')

      const headers = { 'If-None-Match': response.headers.get('ETag')! }
      const again = await get(path, 'on', { headers })
      expect([again.status, again.headers.get(HEADER)]).toEqual([304, response.headers.get(HEADER)])
    },
  )

  it.each([
    ['a pair that was never quoted', '/api/v2/eur/oficial'],
    ['a pair outside the catalogue', '/api/v2/usd/nada'],
    ['a date read, which is counted', '/api/v2/date/2024-01-02'],
    ['a date read that is wrong', '/api/v2/date/ayer'],
    ['history without a key', '/api/v2/usd/blue/history'],
    ['webhooks without a key', '/api/v2/webhooks'],
    ['the key check', '/api/v2/auth/check'],
    ['the status', '/api/v2/status'],
    ['what is not there', '/api/v2/nothing/to/see/here'],
    ['a page', '/usd/blue'],
    ['the account area', '/cuenta'],
    ['the account’s JSON', '/api/account'],
  ])('may not keep %s', async (_, path) => {
    await seedBoard(Date.now(), { quotes: [aBoardQuote('USD/BLUE')] })
    expect((await get(path, 'on')).headers.get(HEADER)).toBe('no-store')
  })

  it('may not keep an error of a current read', async () => {
    const response = await get('/api/v2/usd/blue', 'on', { method: 'POST' })
    expect([response.status, response.headers.get(HEADER)]).toEqual([405, 'no-store'])
  })
})

it('with EDGE_CACHE off nothing is said to it', async () => {
  await seedBoard(Date.now(), { quotes: [aBoardQuote('USD/BLUE')] })
  expect((await get('/api/v2/usd/blue', 'off')).headers.get(HEADER)).toBeNull()
})
