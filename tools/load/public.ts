import { fire } from './fire.ts'
import type { Load } from './load.ts'
import { openService } from './service.ts'
import { requestsOf, type Shot } from './shots.ts'
import { Tally } from './tally.ts'

const CONNECTIONS = 16

export const publicReads: Load = {
  name: 'public',
  summary:
    `pairs, lists, revalidation, status, pages, badge, card, documents and unknown pairs, from ` +
    `${CONNECTIONS} connections`,
  async run({ seconds }) {
    await using service = await openService()
    const tally = new Tally()
    const requests = requestsOf(await shotsAt(service.url), tally)
    return await service.underLoad(seconds, (seconds) =>
      fire({ url: service.url, seconds, connections: CONNECTIONS, requests, tally }),
    )
  },
}

/** As readers mix them: mostly pairs, some lists, a page now and then. */
async function shotsAt(url: string): Promise<Shot[]> {
  const { headers } = await fetch(`${url}/api/v2/arg/cer`)
  const etag = headers.get('ETag')!
  const pairs = ['usd/blue', 'usd/bolsa', 'usd/ccl', 'EUR/Oficial', 'arg/riesgo']

  return [
    ...pairs.map((pair): Shot => ({ path: `/api/v2/${pair}` })),
    ...pairs.map((pair): Shot => ({ path: `/api/${pair}` })),
    { path: '/api/v2/quotes' },
    { path: '/api/v2/usd' },
    { path: '/api/brl' },
    // A new cycle's value would be 200: the index stands still all day, the confirmation does not.
    { path: '/api/v2/arg/cer', headers: { 'If-None-Match': etag }, expect: [200, 304] },
    { path: '/api/v2/status' },
    { path: '/api/v2/usd/nada', headers: { Accept: 'application/json' }, expect: [404] },
    { path: '/api/v2/usd/nada', expect: [404] },
    { path: '/' },
    { path: '/usd/blue' },
    { path: '/estado' },
    { path: '/badge/usd/blue.svg' },
    { path: '/embed/usd/blue' },
    { path: '/docs' },
    { path: '/openapi/quotes.json' },
    { path: '/llms.txt' },
    { path: '/no-hay-tal-pagina', expect: [404] },
  ]
}
