import { createServer } from 'node:http'
import type { Instant } from '../../../shared/argentine-time.ts'
import { listen } from '../../support/listen.ts'
import { answer } from './documents.ts'
import { marketAt, type MarketOptions } from './market.ts'

/** Serves the market on a free loopback port: `https://HOST/PATH` at `URL/HOST/PATH`. */
export async function openDemoMarket(options: MarketOptions & { now: () => Instant }) {
  const server = createServer((request, response) => {
    request.resume()
    const body = documentAt(request.url ?? '/', options.now(), options)
    response.writeHead(body === null ? 404 : 200).end(body)
  })
  const { port, ...listening } = await listen(server)

  return { ...listening, url: `http://127.0.0.1:${port}` }
}

/** The document at `/HOST/PATH?QUERY`; null when the market has none. */
export function documentAt(path: string, now: Instant, options: MarketOptions): string | null {
  const address = URL.parse(`https:/${path}`)
  return address && answer(address, marketAt(now, options))
}
