import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from '../../tools/prove/harness/service.ts'
import { openDemo } from './support/demo.ts'
import { noBrowser } from './support/pages.ts'
import { installPackedClient } from '../support/packed-client.ts'

describe.skipIf(noBrowser)("the packed client on somebody else's page", () => {
  let service: Service
  let browser: Browser
  let page: Page
  let stranger: Server

  beforeAll(async () => {
    using packed = await installPackedClient()
    const script = readFileSync(join(packed.project, 'node_modules/cotizaciones/dist/index.js'))
    ;[service, browser] = await openDemo(['--no-backfill', '--every', '2'])
    stranger = createServer(({ url }, response) => {
      const isScript = url === '/client.js'
      response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
      response.end(isScript ? script : '<!doctype html><title>x</title>')
    })
    stranger.listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`)
  })
  afterAll(async () => {
    stranger?.close()
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  /** Runs code with a client of the service, its key sent too. */
  function run<Value>(code: string): Promise<Value> {
    const apiKey = readFileSync(join(service.stateDir, 'local-key'), 'utf8').trim()
    return page.evaluate<Value>(`import('/client.js').then(async ({ createClient, ApiError }) => {
      const client = createClient(${JSON.stringify({ baseUrl: service.url, apiKey })})
      ${code}
    })`)
  }

  it('reads quotes, and with a key history', async () => {
    const [blue, points] = await run<[{ sell: number }, { sell: number }[]]>(
      `return [await client.quote('usd', 'blue'), await client.history('usd', 'blue', {limit: 2})]`,
    )
    expect(blue.sell).toBeGreaterThan(0)
    expect(points.length).toBeGreaterThan(0)
  })

  it('gets the words of a refusal', async () => {
    expect(
      await run(
        `return client.quote('clp', 'blue').catch((e) => [e instanceof ApiError, e.message])`,
      ),
    ).toEqual([true, 'Cotización no encontrada'])
  })

  it('hears changes, and nothing twice after a line that broke', async () => {
    const heard = await run<string[]>(`
      const heard = []
      let opened = 0
      const stop = new AbortController()
      const broken = createClient({
        baseUrl: ${JSON.stringify(service.url)},
        sleep: () => Promise.resolve(),
        fetch: async (input, init) => {
          const line = new AbortController()
          init.signal.addEventListener('abort', () => line.abort())
          if (opened++ === 0) setTimeout(() => line.abort(), 3000)
          return fetch(input, { ...init, signal: line.signal })
        },
      })
      setTimeout(() => stop.abort(), 20_000)
      for await (const { origin, updatedAt } of broken.stream({ pairs: ['usd/cripto'], signal: stop.signal })) {
        heard.push(origin + ' ' + updatedAt)
        if (opened > 1 && heard.length >= 2) break
      }
      return heard
    `)
    expect(heard.length).toBeGreaterThanOrEqual(2)
    expect(new Set(heard).size).toBe(heard.length)
  })
})
