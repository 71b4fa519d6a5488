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

  it('reads quotes and, with a key, history, gets the text of a refusal, and receives a change', async () => {
    const apiKey = readFileSync(join(demo.service.stateDir, 'local-key'), 'utf8').trim()
    const page = await demo.open({ expected: /status of 404/ })
    await page.goto(`http://127.0.0.1:${stranger.port}/`)
    const options = JSON.stringify({ baseUrl: demo.service.url, apiKey })
    const [blue, points, refusal, heard] = await page.evaluate<
      [{ sell: number }, unknown[], [boolean, string], string]
    >(`import('/client.js').then(async ({ createClient, ApiError }) => {
      const client = createClient(${options})
      const words = (error) => [error instanceof ApiError, error.message]
      const read = [
        await client.quote('usd', 'blue'),
        await client.history('usd', 'blue', { limit: 2 }),
        await client.quote('clp', 'blue').catch(words),
      ]
      for await (const { origin } of client.stream({ pairs: ['usd/cripto'] })) return [...read, origin]
    })`)
    expect(blue.sell).toBeGreaterThan(0)
    expect(points.length).toBeGreaterThan(0)
    expect(refusal).toEqual([true, 'Cotización no encontrada'])
    expect(heard).toBe('CRIPTO')
  })
})
