import { createServer } from 'node:http'
import { listen } from '../../support/listen.ts'
import type { Instant } from '../../../shared/argentine-time.ts'
import { marketAt, type MarketOptions } from './market.ts'
import { UPSTREAMS } from './upstreams.ts'

/** Serves the market on a free loopback port: `https://HOST/PATH` at `URL/HOST/PATH`. */
export async function openDemoMarket(options: MarketOptions & { now: () => Instant }) {
  const server = createServer((request, response) => {
    request.resume()
    const { body, contentType } = documentAt(request.url ?? '/', options.now(), options)
    if (body === null) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': contentType }).end(body)
  })
  const { port, ...listening } = await listen(server)

  return { ...listening, url: `http://127.0.0.1:${port}` }
}

/** The document at `/HOST/PATH?QUERY`; a null body when the market has none. */
export function documentAt(
  path: string,
  now: Instant,
  options: MarketOptions,
): { body: string | null; contentType: string } {
  const address = URL.parse(`https:/${path}`)
  const upstream = address && UPSTREAMS.get(address.host)
  if (!upstream) return { body: null, contentType: '' }

  const body = upstream.answer(address, marketAt(now, options))
  return { body, contentType: upstream.contentType }
}
