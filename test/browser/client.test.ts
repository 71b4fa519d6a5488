import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen, type Listening } from '../../tools/support/listen.ts'
import { installPackedClient } from '../support/packed-client.ts'
import { describeInBrowser } from './support/in-browser.ts'

const ARGS = ['--no-backfill', '--every', '2']

describeInBrowser("the packed client on somebody else's page", ARGS, {}, (demo) => {
  let stranger: Listening

  beforeAll(async () => {
    using packed = await installPackedClient()
    const script = readFileSync(join(packed.project, 'node_modules/cotizaciones/dist/index.js'))
    const server = createServer(({ url }, response) => {
      const isScript = url === '/client.js'
      response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
      response.end(isScript ? script : '<!doctype html><title>x</title>')
    })
    stranger = await listen(server)
  })
  afterAll(() => stranger?.[Symbol.asyncDispose]())

  /** Runs code with a client of the service, its key sent too. */
  async function run<Value>(code: string): Promise<Value> {
    const apiKey = readFileSync(join(demo.service.stateDir, 'local-key'), 'utf8').trim()
    const page = await demo.open({ expected: /status of 404/ })
    await page.goto(`http://127.0.0.1:${stranger.port}/`)
    return page.evaluate<Value>(`import('/client.js').then(async ({ createClient, ApiError }) => {
      const client = createClient(${JSON.stringify({ baseUrl: demo.service.url, apiKey })})
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
        baseUrl: ${JSON.stringify(demo.service.url)},
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
